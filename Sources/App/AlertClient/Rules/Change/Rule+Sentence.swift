internal import Market
internal import Rules
internal import Time

extension Rule {
    /// An explanation of a rise, fall or move for people: `You will be notified when btcinr is 10% or more below its
    /// highest price of the last 24h, and when it no longer is.` Nil for other conditions.
    var moveSentence: String? {
        guard case .move(let move) = condition else { return nil }
        let place =
            switch move.direction {
            case .up: "above its lowest price"
            case .down: "below its highest price"
            case .both: "above its lowest or below its highest price"
            }
        let names = symbols.map(\.text)
        let one = names.count == 1 && symbols[0].exactSymbol != nil
        let market = one ? names[0] : "a market of \(names.joined(separator: ", "))"
        let much =
            if case .amount(let amount) = move.distance, let currency { "\(amount) \(currency)" } else {
                "\(move.distance)"
            }
        let verb = hold == .zero ? "is" : "has been"
        let length = hold == .zero ? "" : " for \(hold)"
        let end = keepFiring == .zero ? "no longer is" : "has no longer been for \(keepFiring)"
        return
            "You will be notified when \(market) \(verb) \(much) or more \(place) of the last \(move.window)\(length), "
            + "and when it \(end)."
    }
}
