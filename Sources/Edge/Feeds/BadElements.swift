internal import CSimdJSON.Tickers
internal import Market

/// The elements of a response that are not used.
struct BadElements {
    private(set) var count = 0
    /// The first bad element and its fault, safe to show.
    private(set) var example: String?

    enum Flaw {
        case malformed
        case noSymbol
        case noPrice
        case repeated(Symbol)

        var text: String {
            switch self {
            case .malformed: "not well-formed"
            case .noSymbol: "no valid symbol"
            case .noPrice: "no price"
            case .repeated(let symbol): "\(symbol) appears twice"
            }
        }
    }

    mutating func add(_ flaw: Flaw, _ element: csimdjson_slice, of text: Span<UInt8>) {
        count += 1
        if example == nil { example = "\(excerpt(element, of: text)): \(flaw.text)" }
    }
}

/// Returns the beginning of an element for a message, safe to show.
private func excerpt(_ element: csimdjson_slice, of text: Span<UInt8>) -> String {
    let limit = 60
    let whole = text.extracting(element.range)
    let start = String(copying: whole.extracting(first: min(limit, whole.count)))
    return untrusted(start.split(whereSeparator: \.isNewline).joined(separator: " "))
        + (whole.count > limit ? "…" : "")
}
