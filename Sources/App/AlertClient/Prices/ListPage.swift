internal import Arguments

/// The page of a list that `--page` selects.
struct ListPage {
    /// The number of rows on a page, which fits a terminal of 24 lines together with the header.
    static let length = 20

    static let option = OptionSpecification(
        "page", value: "NUMBER", help: "Only this page of \(length) symbols; the first is 1")

    let number: Int
    /// The number of pages; at least 1.
    let count: Int
    /// The indices of the rows on this page.
    let rows: Range<Int>

    /// Reads `--page`; nil without the option.
    ///
    /// - Parameters:
    ///   - context: provides the arguments.
    ///   - total: the number of rows on all pages.
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

    /// The line for people below the list.
    var text: String {
        "Page \(number) of \(count)" + (number < count ? "; --page \(number + 1) shows the next" : "")
    }
}
