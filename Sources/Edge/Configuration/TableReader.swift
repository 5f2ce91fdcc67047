internal import Diagnostics
internal import Market
internal import Time

/// A value and its position.
struct Located<Value> {
    var value: Value
    var position: TextPosition
}

/// A reader of one settings table. It reports every key that is unknown or whose value has the wrong type, and treats
/// such a key as absent.
struct TableReader {
    let context: FileContext
    /// The entries in file order, each key once.
    let entries: [TOMLEntry]
    /// The combined bits of the keys. They make it fast to look up an absent key, and most keys that are looked up
    /// are absent.
    private let keyBits: UInt64
    /// The currencies that amounts have named, or nil if amounts may not name their currency.
    var currencies: AmountCurrencies?

    init(_ entries: [TOMLEntry], of table: SettingsReference.Table, in context: FileContext) {
        self.init(entries, of: table, keys: SettingsReference.nameTable(of: table), in: context)
    }

    /// Creates a reader of one of many tables of the same kind. The caller looks up their known keys once, for all of
    /// them.
    init(
        _ entries: [TOMLEntry], of table: SettingsReference.Table, keys: KeyTable<Void>, in context: FileContext
    ) {
        self.init(entries, keys: keys, in: context) { context.unknownKey($0, in: table) }
    }

    /// Creates a reader of a table outside the settings files.
    init(_ entries: [TOMLEntry], called header: String, keys: [String], in context: FileContext) {
        self.init(entries, keys: KeyTable(keys.map { ($0, ()) }), in: context) {
            context.unknownKey($0, in: header, among: keys)
        }
    }

    private init(
        _ entries: [TOMLEntry], keys: KeyTable<Void>, in context: FileContext, _ report: (TOMLEntry) -> Void
    ) {
        self.context = context
        self.entries = entries
        var keyBits: UInt64 = 0
        for index in entries.indices {
            keyBits |= entries[index].key.keyBit
            if keys[entries[index].key] == nil { report(entries[index]) }
        }
        self.keyBits = keyBits
    }

    /// Returns the places of the table and of its keys.
    func source(begin: TextPosition) -> RuleSource {
        RuleSource(begin: begin, entries: entries, in: context.source(at: begin))
    }

    /// Returns the value of a key, or nil if it is absent. A table has few keys, so comparing each is faster than
    /// hashing.
    func node(_ key: String) -> TOMLNode? {
        guard keyBits & key.keyBit != 0 else { return nil }
        for index in entries.indices where entries[index].key == key { return entries[index].node }
        return nil
    }

    /// Returns true if a key is absent, or was read without a finding.
    func isRead<Value>(_ key: String, _ value: Value?) -> Bool { value != nil || node(key) == nil }

    func boolean(_ key: String) -> Bool? {
        guard let node = node(key) else { return nil }
        guard case .boolean(let value) = node.value else {
            wrongType(key, node, .boolean, advice: "write true or false, without quotes")
            return nil
        }
        return value
    }

    func integer(_ key: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let node = node(key) else { return nil }
        guard case .integer(let value) = node.value else {
            wrongType(key, node, .integer, advice: "write it without quotes and without a decimal point")
            return nil
        }
        guard range.contains(value) else {
            let advice =
                range.upperBound == .max
                ? "use \(range.lowerBound) or more" : "use a number from \(range.lowerBound) to \(range.upperBound)"
            context.error(node.position, "`\(key)` is \(value)", advice: advice)
            return nil
        }
        return value
    }

    /// Reads a nonempty string of visible characters.
    func text(_ key: String, example: String) -> Located<String>? {
        guard let node = node(key) else { return nil }
        guard case .string(let value) = node.value else {
            wrongType(key, node, .text, advice: "write it in quotes: \(example)")
            return nil
        }
        return plain(value, of: key, at: node.position)
    }

    /// Returns the text. If it is empty or has an invisible character, reports a finding and returns nil.
    func plain(_ value: String, of key: String, at position: TextPosition) -> Located<String>? {
        if value.isEmpty {
            context.error(position, "`\(key)` is empty", advice: "give it a value, or remove the line")
            return nil
        }
        if visible(value) != value {
            context.error(
                position, "`\(key)` contains a control or invisible character",
                advice: "write it on one line in plain text")
            return nil
        }
        return Located(value: value, position: position)
    }

    /// Reads a case of a type, by its raw value.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ key: String, of type: Choice.Type) -> Choice? {
        guard let node = node(key) else { return nil }
        if case .string(let text) = node.value, let choice = type.init(rawValue: text) { return choice }
        let names = type.allCases.map(\.rawValue)
        guard let text = text(key, example: "\"\(names.first ?? "")\"") else { return nil }
        guard let choice = type.init(rawValue: text.value) else {
            let guess =
                nearest(to: text.value.lowercased(), among: names) ?? names.first { $0 == text.value.lowercased() }
            context.error(
                text.position, "`\(key)` is \"\(text.value)\"",
                advice: guess.map { "did you mean \"\($0)\"?" } ?? "use one of: \(names.joined(separator: ", "))")
            return nil
        }
        return choice
    }

    func duration(_ key: String) -> Located<Milliseconds>? {
        guard let node = node(key) else { return nil }
        guard case .string(let text) = node.value else {
            let advice =
                if case .integer(let count) = node.value {
                    "write it with a unit and in quotes, such as \"\(count)s\""
                } else { "write it in quotes" }
            wrongType(key, node, .duration, advice: advice)
            return nil
        }
        guard let duration = Milliseconds(text) else {
            context.error(
                node.position, "`\(key)` is \"\(text)\", which is not a duration",
                advice: Milliseconds.written(text).map { "write it as \"\($0)\"" }
                    ?? "write whole numbers with ms, s, m, h or d, such as \"30s\" or \"1h30m\"")
            return nil
        }
        return Located(value: duration, position: node.position)
    }

    /// Reads a date and time with a time zone, written bare or as a string.
    func time(_ key: String) -> Located<WallTime>? {
        guard let node = node(key) else { return nil }
        let text: String
        switch node.value {
        case .string(let string): text = string
        case .dateTime: text = context.source(at: node.position).dateTime(at: node.position)
        default:
            wrongType(key, node, .time)
            return nil
        }
        guard let time = WallTime(rfc3339: text) else {
            context.error(
                node.position, "`\(key)` is \(text), which is not a date and time with a time zone",
                advice: "write it like 2027-01-01T00:00:00Z or 2027-01-01T01:00:00+01:00")
            return nil
        }
        return Located(value: time, position: node.position)
    }

    /// Reads a size within `range`, in bytes.
    func size(_ key: String, in range: ClosedRange<Int>, called bounds: String) -> Int? {
        guard let node = node(key) else { return nil }
        guard case .string(let text) = node.value else {
            wrongType(key, node, .size, advice: "write it with KiB, MiB or GiB and in quotes")
            return nil
        }
        guard let bytes = byteCount(text) else {
            context.error(
                node.position, "`\(key)` is \"\(text)\", which is not a size",
                advice: "write a whole number with KiB, MiB or GiB, such as \"64MiB\"")
            return nil
        }
        guard range.contains(bytes) else {
            context.error(node.position, "`\(key)` is \"\(text)\"", advice: "use a size from \(bounds)")
            return nil
        }
        return bytes
    }

    /// Reports a value whose type is not the type of its key.
    func wrongType(_ key: String, _ node: TOMLNode, _ type: SettingsReference.ValueType, advice: String? = nil) {
        context.error(node.position, "`\(key)` must be \(type.rawValue), but is \(node.value.kindName)", advice: advice)
    }
}

extension TOMLValue {
    var isTable: Bool {
        if case .table = self { true } else { false }
    }

    /// True if the value is a list that contains at least one table.
    var isListOfTables: Bool {
        if case .array(let elements) = self { elements.contains(where: \.value.isTable) } else { false }
    }

    /// The type of the value, as messages name it.
    var kindName: String {
        switch self {
        case .table: "a table"
        case .array: "a list"
        case .string: "a string"
        case .integer: "a whole number"
        case .float: "a number with a decimal point"
        case .boolean: "a boolean"
        case .dateTime: "a date or time"
        }
    }
}
