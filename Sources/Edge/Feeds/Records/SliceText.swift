internal import CSimdJSON.Tickers
internal import Market

/// Returns the number of a field, exactly as written, or nil for anything else.
func decimal(_ slice: csimdjson_slice, of text: Span<UInt8>) -> Price? {
    guard slice.isUsable else { return nil }
    return try? Price(parsing: text, in: slice.range)
}

func wholeNumber(_ slice: csimdjson_slice, of text: Span<UInt8>) -> Int64? {
    slice.isUsable ? Int64(reading: text.extracting(slice.range)) : nil
}

/// Returns the asset that a field names, or nil if it is not a valid name.
func asset(_ slice: csimdjson_slice, of text: Span<UInt8>) -> Asset? {
    guard slice.isString else { return nil }
    return ShortText(lowercaseOrDigits: text, in: slice.range).map(Asset.init(unchecked:))
}

extension csimdjson_slice {
    /// The position in the text.
    var range: Range<Int> { Int(offset)..<Int(offset) + Int(length) }
    var isString: Bool { kind == UInt32(CSIMDJSON_KIND_STRING) }
    var isNumber: Bool { kind == UInt32(CSIMDJSON_KIND_NUMBER) }
    var isUsable: Bool { kind != UInt32(CSIMDJSON_KIND_NONE) }
}

extension Int64 {
    /// Parses `-?digits`. Nil for any other text, and for numbers that do not fit.
    init?(reading text: Span<UInt8>) {
        let isNegative = text.count > 0 && text[0] == 0x2D
        guard text.count > (isNegative ? 1 : 0) else { return nil }
        var value: Int64 = 0
        for index in (isNegative ? 1 : 0)..<text.count {
            let digit = text[index] &- 0x30
            guard digit < 10 else { return nil }
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = product.subtractingReportingOverflow(Int64(digit))
            guard !isTooLarge, !overflow else { return nil }
            value = sum
        }
        guard isNegative || value != .min else { return nil }
        self = isNegative ? value : -value
    }
}

extension String {
    /// Copies a text, and replaces invalid UTF-8.
    init(copying text: Span<UInt8>) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        for index in text.indices { bytes.append(text[index]) }
        self.init(decoding: bytes, as: UTF8.self)
    }
}
