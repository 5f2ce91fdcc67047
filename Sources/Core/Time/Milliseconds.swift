/// A duration in whole milliseconds, written as `1h30m`.
@usableFromInline
package struct Milliseconds: Hashable, Sendable {
    /// The number of milliseconds.
    @usableFromInline package let count: Int64

    package static let zero = Milliseconds(0)

    /// Makes a duration, which may be negative.
    @inlinable
    package init(_ count: Int64) {
        self.count = count
    }

    /// Makes a duration from seconds. It saturates at about 292 million years.
    package static func seconds(_ seconds: Int64) -> Milliseconds {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        return Milliseconds(overflow ? (seconds < 0 ? .min + 1 : .max) : product)
    }

    /// The duration as the type of the standard library.
    package var duration: Duration { .milliseconds(count) }

    /// Returns the duration multiplied by `factor`. It saturates at the maximum duration.
    package func times(_ factor: Int64) -> Milliseconds {
        let (product, overflow) = count.multipliedReportingOverflow(by: factor)
        return Milliseconds(overflow ? .max : product)
    }
}

extension Milliseconds: Comparable {
    @inlinable
    package static func < (left: Self, right: Self) -> Bool { left.count < right.count }
}

extension Milliseconds {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]

    /// Parses integers with the units `ms`, `s`, `m`, `h` and `d`, joined without spaces: `1h30m`. Returns nil for any
    /// other text and for more than a hundred years.
    package init?(_ text: String) {
        var rest = text.utf8[...]
        var total: Int64 = 0
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { $0 &- 0x30 < 10 }
            let unit = rest.dropFirst(digits.count).prefix { $0 &- 0x30 >= 10 }
            guard let count = Int64(String(digits) ?? ""), count <= 3_153_600_000_000 else { return nil }
            guard let size = Self.units.first(where: { $0.name == String(unit) }) else { return nil }
            let (product, overflow) = count.multipliedReportingOverflow(by: size.milliseconds)
            guard !overflow, product <= 3_153_600_000_000 - total else { return nil }
            total += product
            rest = rest.dropFirst(digits.count + unit.count)
        }
        self.init(total)
    }
}

extension Milliseconds: CustomStringConvertible {
    /// The format of ``init(_:)-(String)``: `1h30m`, `250ms`, `0s`.
    @usableFromInline package var description: String {
        guard count != 0 else { return "0s" }
        var rest = count.magnitude
        let parts = Self.units.compactMap { unit -> String? in
            let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: unit.milliseconds.magnitude)
            rest = remainder
            return quotient == 0 ? nil : "\(quotient)\(unit.name)"
        }
        return (count < 0 ? "-" : "") + parts.joined()
    }

    /// The approximate duration for people, in at most the two largest units: `3s`, `2m10s`, `1d4h`; below a second
    /// `0.4s`.
    package var approximate: String {
        let size = count.magnitude
        guard size >= 1_000 else { return count == 0 ? "0s" : "\(count < 0 ? "-" : "")0.\(size / 100)s" }
        let unit: UInt64 = size >= 86_400_000 ? 3_600_000 : size >= 3_600_000 ? 60_000 : 1_000
        return Milliseconds(Int64(size / unit * unit) * (count < 0 ? -1 : 1)).description
    }
}
