internal import Configuration
internal import Control
internal import Diagnostics
internal import Varlink

extension VarlinkError {
    /// Creates the error for a valid call that cannot be carried out in the current state.
    static func refused(_ message: String) -> VarlinkError {
        VarlinkError(ControlInterface.ErrorName.refused.qualifiedName, Refused(message: message))
    }

    /// The error for calls about symbols before the first usable response.
    static var noPricesYet: VarlinkError {
        .refused("there are no prices yet: there has been no usable response; 'alertctl status' shows why")
    }

    /// Creates the error for a missing thing. `names` are the existing names; if `areFew` is true, the error lists all
    /// of them.
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

    static func noSuchSymbol(_ name: String, among names: [String]) -> VarlinkError {
        VarlinkError(
            ControlInterface.ErrorName.noSuchSymbol.qualifiedName,
            NoSuchSymbol(symbol: name, suggestion: symbolMeant(by: name, among: names)))
    }

    static func storeFailed(_ message: String) -> VarlinkError {
        VarlinkError(ControlInterface.ErrorName.storeFailed.qualifiedName, StoreFailed(message: message))
    }
}
