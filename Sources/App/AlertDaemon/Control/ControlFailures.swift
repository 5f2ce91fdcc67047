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
        .refused("there are no prices yet, as there was no usable response; 'alertctl status' shows why")
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

    /// An asset, as in `btc`, is likely to mean its first market.
    static func noSuchSymbol(_ name: String, among names: [String]) -> VarlinkError {
        let name = name.lowercased()
        let market = name.isEmpty ? nil : names.first { $0.hasPrefix(name) }
        return VarlinkError(
            ControlInterface.ErrorName.noSuchSymbol.qualifiedName,
            NoSuchSymbol(symbol: name, suggestion: market ?? nearest(to: name, among: names)))
    }

    static func storeFailed(_ message: String) -> VarlinkError {
        VarlinkError(ControlInterface.ErrorName.storeFailed.qualifiedName, StoreFailed(message: message))
    }
}
