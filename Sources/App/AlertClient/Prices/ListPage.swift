internal import Arguments

/// The part of a list that `--page` asks for.
struct ListPage {
    /// The rows of a page: it fits a terminal of 24 lines with its head.
    static let length = 20

    static let option = OptionSpecification(
        "page", value: "NUMBER", help: "Only this page of \(length) symbols, beginning with 1")

    let number: Int
    /// How many pages there are; at least 1.
    let count: Int
    /// The places of its rows.
    let rows: Range<Int>

    /// Nil without `--page`.
    ///
    /// - Parameters:
    ///   - context: the arguments.
    ///   - total: the rows of all pages.
    /// - Throws: ``ClientError`` if there is no such page.
    init?(_ context: Context, of total: Int) throws(ClientError) {
        guard let number = try context.number("page") else { return nil }
        let count = max(1, (total + Self.length - 1) / Self.length)
        guard (1...count).contains(number) else {
            throw .usage("there is no page \(number); the last one is \(count)")
        }
        (self.number, self.count) = (number, count)
        let start = (number - 1) * Self.length
        rows = start..<min(total, start + Self.length)
    }

    var fields: [Field] { [Field("page", .count(number)), Field("pages", .count(count))] }

    /// For people, below the list.
    var text: String {
        "Page \(number) of \(count)" + (number < count ? "; --page \(number + 1) shows the next" : "")
    }
}
