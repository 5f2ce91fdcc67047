internal import Control

/// A value in a report, independent of its format.
enum Value: Equatable, Sendable {
    case missing
    case text(String)
    /// An exact number in plain digits; a string in JSON, so that it is not rounded.
    case decimal(String)
    case count(Int)
    case flag(Bool)
    /// RFC 3339 in UTC.
    case time(String)
    /// A price and its time: an object in JSON, two columns in CSV, the price alone elsewhere.
    case point(price: String, time: String)
    case list([String])
    /// A value that is JSON already: in JSON that value, its text elsewhere.
    case json(String)
    /// Named texts that belong together: an object in JSON, the first of them elsewhere.
    case facts([Fact])

    struct Fact: Equatable, Sendable {
        var key: String
        var text: String?
        /// Whether it is a whole number.
        var isCount = false
    }

    static func text(_ text: String?) -> Value { text.map { .text($0) } ?? .missing }
    static func text(_ word: some WireWord) -> Value { .text(word.rawValue) }
    static func text(_ word: (some WireWord)?) -> Value { .text(word?.rawValue) }
    static func decimal(_ text: String?) -> Value { text.map { .decimal($0) } ?? .missing }
    static func time(_ text: String?) -> Value { text.map { .time($0) } ?? .missing }
    static func count(_ number: Int?) -> Value { number.map { .count($0) } ?? .missing }
}

/// What a value means for the reader, shown by colour; a word or a sign always shows it as well.
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
    /// What people are shown instead of the value.
    var human: String?
    /// A sign after it for people, which the report explains.
    var mark = ""
    /// What it is sorted by, if not by the value.
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
    /// The name in JSON, in `--sort` and in the header of plain output.
    var key: String
    /// The title in a table; nil for a column for programs only.
    var title: String?
    var isNumeric = false
    /// On a narrow terminal, columns of the highest rank are dropped first, all of the same rank together; rank 0 is
    /// never dropped.
    var rank = 0
    /// Whether its values are points: a price and a time.
    var isPoint = false
    /// For long texts: the width to which the column may be narrowed before other columns are dropped.
    var leastWidth: Int?
    /// Whether a text that is too long continues on further lines; for the last column that is shown.
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
    /// Each with one cell per column.
    var rows: [[Cell]]
    /// What people are shown if there are no rows.
    var whenEmpty: String
}

struct Field: Equatable, Sendable {
    var key: String
    /// The title for people; nil for a field for programs only.
    var title: String?
    var cell: Cell
    /// Whether programs do not get it.
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

    /// The field, for programs only if it has no value or is an empty list.
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
    /// Names and values; with a key they are a separate object in JSON.
    case fields(key: String?, [Field])
    case table(Table)
    /// Values about the whole report, for JSON only, so that a table stays a table elsewhere.
    case metadata([Field])
    /// Texts, one per line.
    case lines(key: String, title: String?, [String])
    /// For people only: one line.
    case text(String, Emphasis)
    /// For people only: lines that are already safe and laid out, each with a line end.
    case verbatim(String)

    /// Whether plain output holds it.
    var isPlain: Bool {
        switch self {
        case .fields, .table, .lines: true
        case .metadata, .text, .verbatim: false
        }
    }
}

/// The result of a command, before it is formatted.
struct Report: Equatable, Sendable {
    /// Whether prices are simulated; nil if the report shows none.
    var simulated: Bool?
    var parts: [Part]
    var exitCode = ExitCode.success
}
