/// An unsigned integer of any size, for products of several prices, which do not fit in 128 bits.
struct WideUnsigned {
    /// Words of 64 bits, least significant first. The last one is not 0.
    private var words: [UInt64]

    init(_ value: UInt64) {
        words = value == 0 ? [] : [value]
    }

    var isZero: Bool { words.isEmpty }

    /// The number as 64 bits; nil if it does not fit.
    var small: UInt64? { words.count > 1 ? nil : words.first ?? 0 }

    mutating func multiply(by factor: UInt64) {
        guard factor != 0 else {
            words = []
            return
        }
        var carry: UInt64 = 0
        for index in words.indices {
            let (high, low) = words[index].multipliedFullWidth(by: factor)
            let (sum, overflow) = low.addingReportingOverflow(carry)
            words[index] = sum
            // The high half of a product is at most 2^64 − 2, so adding 1 cannot overflow.
            carry = overflow ? high &+ 1 : high
        }
        if carry != 0 { words.append(carry) }
    }

    func multiplied(by factor: UInt64) -> WideUnsigned {
        var product = self
        product.multiply(by: factor)
        return product
    }

    mutating func add(_ other: WideUnsigned) {
        var carry: UInt64 = 0
        for index in 0..<max(words.count, other.words.count) {
            if index == words.count { words.append(0) }
            let added = index < other.words.count ? other.words[index] : 0
            let (first, over) = words[index].addingReportingOverflow(added)
            let (second, overAgain) = first.addingReportingOverflow(carry)
            words[index] = second
            carry = over || overAgain ? 1 : 0
        }
        if carry != 0 { words.append(carry) }
    }

    /// Subtracts a number that is not greater.
    mutating func subtract(_ other: WideUnsigned) {
        var borrow: UInt64 = 0
        for index in words.indices {
            let taken = index < other.words.count ? other.words[index] : 0
            let (first, under) = words[index].subtractingReportingOverflow(taken)
            let (second, underAgain) = first.subtractingReportingOverflow(borrow)
            words[index] = second
            borrow = under || underAgain ? 1 : 0
        }
        while words.last == 0 { words.removeLast() }
    }
}

extension WideUnsigned: Comparable {
    static func == (left: Self, right: Self) -> Bool { left.words == right.words }

    static func < (left: Self, right: Self) -> Bool {
        if left.words.count != right.words.count { return left.words.count < right.words.count }
        return left.words.reversed().lexicographicallyPrecedes(right.words.reversed())
    }
}
