/// The UTC offsets of a time zone, from a file of the time zone database of the system (RFC 9636).
package struct TimeZoneFile: Equatable, Sendable {
    /// The maximum size of a file, in bytes. The largest file of the database has about 4 kB.
    package static let largest = 65_536

    /// The changes of the offset, in order: the time in seconds since 1970, and the new offset in seconds.
    private let transitions: [(time: Int64, offset: Int64)]
    /// The offset before the first transition.
    private let first: Int64
    /// The rule after the last transition.
    private let rule: TimeZoneRule?

    package static func == (left: Self, right: Self) -> Bool {
        left.first == right.first && left.rule == right.rule
            && left.transitions.elementsEqual(right.transitions) { $0 == $1 }
    }

    /// Returns true if the text can be the name of a zone, such as `Europe/Stockholm`, so that it is safe as part of a
    /// path.
    package static func isName(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let isClean = parts.allSatisfy { part in
            !part.isEmpty
                && part.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
                        true
                    default: false
                    }
                }
        }
        return isClean && name.utf8.count <= 64 && name.first?.isUppercase == true
    }

    /// Parses a file of version 2 or later. Returns nil for anything else.
    package init?(_ bytes: [UInt8]) {
        var reader = BigEndianReader(bytes)
        guard bytes.count <= Self.largest, let old = Header(&reader), old.version >= UInt8(ascii: "2"),
            reader.skip(old.byteCount(timeSize: 4)), let header = Header(&reader)
        else { return nil }
        var times: [Int64] = []
        for _ in 0..<header.times {
            guard let time = reader.integer(8) else { return nil }
            times.append(time)
        }
        guard let indices = reader.read(header.times), zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }) else {
            return nil
        }
        var offsets: [Int64] = []
        for _ in 0..<header.types {
            // No zone is further from UTC. The limit prevents overflow of sums.
            guard let offset = reader.integer(4), abs(offset) < 100_000, reader.skip(2) else { return nil }
            offsets.append(offset)
        }
        guard reader.skip(header.names + header.leapSeconds * 12 + header.standards + header.universals),
            let first = offsets.first, indices.allSatisfy({ offsets.indices.contains(Int($0)) }),
            reader.read(1) == [0x0A], let end = reader.rest.firstIndex(of: 0x0A)
        else { return nil }
        let footer = String(decoding: reader.rest[..<end], as: UTF8.self)
        let rule = TimeZoneRule(footer)
        guard rule != nil || footer.isEmpty else { return nil }
        self.first = first
        self.rule = rule
        transitions = zip(times, indices).map { ($0, offsets[Int($1)]) }
    }

    /// Returns the offset of the zone from UTC at a time, in seconds, positive east of Greenwich.
    package func offsetSeconds(at time: WallTime) -> Int64 {
        let seconds = time.milliseconds.floored(by: 1_000).quotient
        if let rule, transitions.last.map({ seconds >= $0.time }) ?? true { return rule.offset(at: seconds) }
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle].time <= seconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : transitions[low - 1].offset
    }

    /// The header with the counts at the start of each of the two parts.
    private struct Header {
        let version: UInt8
        let universals: Int
        let standards: Int
        let leapSeconds: Int
        let times: Int
        let types: Int
        let names: Int

        init?(_ reader: inout BigEndianReader) {
            guard reader.read(4) == Array("TZif".utf8), let version = reader.read(1)?.first, reader.skip(15) else {
                return nil
            }
            var counts: [Int] = []
            for _ in 0..<6 {
                guard let count = reader.integer(4), (0...Int64(TimeZoneFile.largest)).contains(count) else {
                    return nil
                }
                counts.append(Int(count))
            }
            self.version = version
            (universals, standards, leapSeconds) = (counts[0], counts[1], counts[2])
            (times, types, names) = (counts[3], counts[4], counts[5])
        }

        func byteCount(timeSize: Int) -> Int {
            times * (timeSize + 1) + types * 6 + names + leapSeconds * (timeSize + 4) + standards + universals
        }
    }
}

/// A reader of big-endian numbers from bytes.
private struct BigEndianReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    mutating func read(_ count: Int) -> [UInt8]? {
        guard count >= 0, rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func skip(_ count: Int) -> Bool { read(count) != nil }

    /// Reads a signed number of at most eight bytes.
    mutating func integer(_ size: Int) -> Int64? {
        guard let bytes = read(size), let first = bytes.first else { return nil }
        return bytes.reduce(first >= 0x80 ? -1 : 0) { $0 << 8 | Int64($1) }
    }
}
