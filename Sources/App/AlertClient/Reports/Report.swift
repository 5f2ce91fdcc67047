internal import Control

/// A value in a report, independent of its format.
enum Value: Equatable, Sendable {
    case missing
    case text(String)
    /// An exact number in plain digits; a string in JSON so that no parser rounds it.
    case decimal(String)
    case count(Int)
    case flag(Bool)
    /// RFC 3339 in UTC.
    case time(String)
    /// A price and its time: an object in JSON, two columns in CSV, only the price elsewhere.
    case point(price: String, time: String)
    case list([String])
    /// A value that is already encoded as JSON; in other formats its text.
    case json(String)
    /// Named values that belong together: an object in JSON, only the first one elsewhere.
    case facts([Fact])

    struct Fact: Equatable, Sendable {
        var key: String
        var text: String?
        /// True if the text is a whole number, which is a number in JSON.
        var isCount = false
    }

    static func text(_ text: String?) -> Value { text.map { .text($0) } ?? .missing }
    static func text(_ word: some WireWord) -> Value { .text(word.rawValue) }
    static func text(_ word: (some WireWord)?) -> Value { .text(word?.rawValue) }
    static func decimal(_ text: String?) -> Value { text.map { .decimal($0) } ?? .missing }
    static func time(_ text: String?) -> Value { text.map { .time($0) } ?? .missing }
    static func count(_ number: Int?) -> Value { number.map { .count($0) } ?? .missing }
}

/// The meaning of a value for the reader, shown by colour; a word or a sign always shows it as well.
enum Emphasis: Sendable {
    case none
    case good
    case up
    case down
    case alarm
    case muted
    case strong
}

struct Cell: Equatable, Sendable {
    var value: Value
    /// The text for people; nil to format the value.
    var human: String?
    /// A sign after the text for people, which the report explains.
    var mark = ""
    /// The sort key, if it is not the value.
    var order: SortKey?
    var emphasis = Emphasis.none

    init(_ value: Value, human: String? = nil, _ emphasis: Emphasis = .none) {
        self.value = value
        self.human = human
        self.emphasis = emphasis
    }

    var sortKey: SortKey { order ?? SortKey(value) }
}

struct Column: Equatable, Sendable {
    /// The name in JSON, in `--sort`, and in the header of plain output.
    var key: String
    /// The title in a table; nil for a column for programs only.
    var title: String?
    var isNumeric = false
    /// On a narrow terminal, columns of the highest rank are dropped first, all of the same rank together; rank 0 is
    /// never dropped.
    var rank = 0
    /// True if its values are points: a price and a time.
    var isPoint = false
    /// For long texts, the width to which the column may be narrowed before other columns are dropped.
    var leastWidth: Int?
    /// True if a text that is too long continues on further lines.
    var wraps = false

    init(_ key: String, _ title: String?, isNumeric: Bool = false, rank: Int = 0) {
        self.key = key
        self.title = title
        self.isNumeric = isNumeric
        self.rank = rank
    }
}

struct Table: Equatable, Sendable {
    var key: String
    var columns: [Column]
    /// The rows, each with one cell per column.
    var rows: [[Cell]]
    /// The text for people if there are no rows.
    var whenEmpty: String
}

struct Field: Equatable, Sendable {
    var key: String
    /// The title for people; nil for a field for programs only.
    var title: String?
    var cell: Cell
    /// True if the field is omitted from output for programs.
    var isForPeople = false

    init(_ key: String, _ title: String?, _ value: Value, human: String? = nil, _ emphasis: Emphasis = .none) {
        self.key = key
        self.title = title
        cell = Cell(value, human: human, emphasis)
    }

    init(_ key: String, _ title: String?, _ cell: Cell) {
        self.key = key
        self.title = title
        self.cell = cell
    }

    /// The field, without its title if it has no value or an empty list, so that only programs get it.
    var hiddenIfMissing: Field {
        var field = self
        if cell.value == .missing || cell.value == .list([]) { field.title = nil }
        return field
    }

    /// A field for programs only.
    init(_ key: String, _ value: Value) {
        self.init(key, nil, value)
    }
}

/// A piece of a report.
enum Part: Equatable, Sendable {
    /// Names and values; with a key, they are a separate object in JSON.
    case fields(key: String?, [Field])
    case table(Table)
    /// Values about the whole report, for JSON only; in other formats a report with a table remains a single table.
    case metadata([Field])
    /// Texts, one per line.
    case lines(key: String, title: String?, [String])
    /// One paragraph, for people only.
    case text(String, Emphasis)
    /// Lines that are already escaped and laid out, each with a line end, for people only.
    case verbatim(String)

    /// True if plain output includes the part.
    var isPlain: Bool {
        switch self {
        case .fields, .table, .lines: true
        case .metadata, .text, .verbatim: false
        }
    }
}

/// The result of a command, before it is formatted.
struct Report: Equatable, Sendable {
    /// True if prices are simulated; nil if the report shows no prices.
    var simulated: Bool?
    var parts: [Part]
    var exitCode = ExitCode.success
}
