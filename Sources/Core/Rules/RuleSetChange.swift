/// The difference between two sets of rules, by name, in file order.
package struct RuleSetChange: Equatable, Sendable {
    /// Names that only the new set has.
    package var added: [String] = []
    /// Names that only the old set has.
    package var removed: [String] = []
    /// Names of rules whose meaning differs.
    package var changed: [String] = []
    /// Names of rules whose meaning is the same.
    package var kept: [String] = []

    /// Creates an empty change.
    package init() {}

    /// Compares two sets of rules; a rule whose meaning did not change is kept.
    package init(from old: [RuleIdentity], to new: [RuleIdentity]) {
        guard old != new else {
            kept = new.map(\.name)
            return
        }
        let oldByName = Dictionary(old.map { ($0.name, $0.meaning) }) { first, _ in first }
        let newNames = Set(new.map(\.name))
        removed = old.map(\.name).filter { !newNames.contains($0) }
        for rule in new {
            switch oldByName[rule.name] {
            case nil: added.append(rule.name)
            case let meaning? where meaning == rule.meaning: kept.append(rule.name)
            default: changed.append(rule.name)
            }
        }
    }

    /// True if both sets have the same rules.
    package var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }
}
