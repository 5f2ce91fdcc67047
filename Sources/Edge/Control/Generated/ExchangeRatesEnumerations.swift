// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// Where a rate comes from.
    package enum RateBasis: WireWord {
        case reference
        case peg
        case market
        /// Fixed by law for a currency that the euro has replaced.
        case fixed
        /// A word of a later version.
        case unknown(String)

        package init(rawValue: String) {
            switch rawValue {
            case "reference": self = .reference
            case "peg": self = .peg
            case "market": self = .market
            case "fixed": self = .fixed
            default: self = .unknown(rawValue)
            }
        }

        package var rawValue: String {
            switch self {
            case .reference: "reference"
            case .peg: "peg"
            case .market: "market"
            case .fixed: "fixed"
            case .unknown(let word): word
            }
        }
    }
}
