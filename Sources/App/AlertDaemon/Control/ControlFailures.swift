internal import Control
internal import Diagnostics
internal import Varlink

extension VarlinkError {
    /// The call is valid, but cannot be carried out in the current state.
    static func refused(_ message: String) -> VarlinkError {
        VarlinkError(ControlInterface.ErrorName.refused.qualifiedName, Refused(message: message))
    }

    /// Nothing is known of any symbol.
    static var noPricesYet: VarlinkError {
        .refused("there are no prices yet: there has been no usable response; 'alertctl status' shows why")
    }

    /// There is no such thing; `names` are those that exist, all of which are listed if there are few.
    static func noSuchThing(
        _ kind: ControlInterface.ThingKind, _ name: String, among names: [String] = [], areFew: Bool = false
    ) -> VarlinkError {
        VarlinkError(
            ControlInterface.ErrorName.noSuchThing.qualifiedName,
            NoSuchThing(
                kind: kind, name: name, suggestion: nearest(to: name, among: names), known: areFew ? names : nil))
    }

    static func noSuchRule(_ name: String, among names: [String]) -> VarlinkError {
        VarlinkError(
            ControlInterface.ErrorName.noSuchRule.qualifiedName,
            NoSuchRule(rule: name, suggestion: nearest(to: name, among: names)))
    }

    /// An asset, as in `eth`, is likely to mean its market, and not that of another one that begins with it (`ethw`).
    /// A market that is not a typo, as `ethsek`, is likely to mean another one of the same asset.
    static func noSuchSymbol(_ name: String, among names: [String]) -> VarlinkError {
        let plain = name.lowercased()
        let markets = plain.utf8.count > 1 ? names.filter { $0.hasPrefix(plain) } : []
        let market = markets.min { $0.utf8.count < $1.utf8.count }
        return VarlinkError(
            ControlInterface.ErrorName.noSuchSymbol.qualifiedName,
            NoSuchSymbol(
                symbol: name, suggestion: market ?? nearest(to: plain, among: names) ?? relative(of: plain, names)))
    }

    /// The first of the shortest symbols that share most of their beginning with a name, at least three characters.
    private static func relative(of name: String, _ names: [String]) -> String? {
        let shared = { (symbol: String) in zip(symbol.utf8, name.utf8).prefix { $0 == $1 }.count }
        let related = names.filter { shared($0) >= 3 }
        return related.min { (-shared($0), $0.utf8.count) < (-shared($1), $1.utf8.count) }
    }

    static func storeFailed(_ message: String) -> VarlinkError {
        VarlinkError(ControlInterface.ErrorName.storeFailed.qualifiedName, StoreFailed(message: message))
    }
}
