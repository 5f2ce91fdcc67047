/// The values of one JSON object without objects or arrays inside, as places in the text; strings without their quotes.
///
/// It reads the lines of an export, of which there may be millions. Strings with a backslash are not taken: no name,
/// time or price has one.
struct FlatObject {
    private(set) var time: Range<Int>?
    private(set) var symbol: Range<Int>?
    private(set) var price: Range<Int>?
    /// The number of records, in the last line of an export.
    private(set) var records: Range<Int>?
    /// Present in the last line of a complete export.
    private(set) var complete: Range<Int>?

    /// Nil if the text is not such an object.
    init?(_ text: Span<UInt8>, in range: Range<Int>) {
        var cursor = ByteCursor(in: range)
        Self.skipSpace(&cursor, text)
        guard cursor.take(0x7B, text) else { return nil }
        Self.skipSpace(&cursor, text)
        while !cursor.take(0x7D, text) {
            guard let key = Self.string(&cursor, text) else { return nil }
            Self.skipSpace(&cursor, text)
            guard cursor.take(0x3A, text) else { return nil }
            Self.skipSpace(&cursor, text)
            guard let value = Self.value(&cursor, text) else { return nil }
            keep(value, forKey: key, of: text)
            Self.skipSpace(&cursor, text)
            guard cursor.take(0x2C, text) else {
                guard cursor.take(0x7D, text) else { return nil }
                break
            }
            Self.skipSpace(&cursor, text)
        }
        Self.skipSpace(&cursor, text)
        guard cursor.isAtEnd else { return nil }
    }

    private mutating func keep(_ value: Range<Int>, forKey key: Range<Int>, of text: Span<UInt8>) {
        if text.holds("time", in: key) {
            time = value
        } else if text.holds("symbol", in: key) {
            symbol = value
        } else if text.holds("price", in: key) {
            price = value
        } else if text.holds("records", in: key) {
            records = value
        } else if text.holds("complete", in: key) {
            complete = value
        }
    }

    private static func skipSpace(_ cursor: inout ByteCursor, _ text: Span<UInt8>) {
        cursor.skip(text) { $0 == 0x20 || $0 == 0x09 }
    }

    private static func string(_ cursor: inout ByteCursor, _ text: Span<UInt8>) -> Range<Int>? {
        guard cursor.take(0x22, text) else { return nil }
        let start = cursor.position
        cursor.skip(text) { $0 != 0x22 && $0 != 0x5C }
        let end = cursor.position
        return cursor.take(0x22, text) ? start..<end : nil
    }

    /// A string, a number, true, false or null.
    private static func value(_ cursor: inout ByteCursor, _ text: Span<UInt8>) -> Range<Int>? {
        if cursor.next(text) == 0x22 { return string(&cursor, text) }
        let start = cursor.position
        cursor.skip(text) { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || [0x2B, 0x2D, 0x2E].contains($0) }
        return cursor.position > start ? start..<cursor.position : nil
    }
}

extension Span<UInt8> {
    /// Whether the part is this text.
    func holds(_ word: StaticString, in range: Range<Int>) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        for index in 0..<range.count {
            guard unsafe self[range.lowerBound + index] == word.utf8Start[index] else { return false }
        }
        return true
    }

    /// The part as a text, with replacement characters for what is not UTF-8.
    func string(in range: Range<Int>) -> String {
        String(decoding: range.map { self[$0] }, as: UTF8.self)
    }
}
