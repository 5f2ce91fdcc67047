internal import Rules
internal import Time

/// The expiry times of rules.
struct RuleExpiry: Sendable {
    /// The rules with an expiry time, and whether each has expired.
    private var entries: [(rule: Int, end: WallTime, isOver: Bool)]

    init(_ rules: [Rule]) {
        entries = rules.indices.compactMap { number in rules[number].expires.map { (number, $0, false) } }
    }

    func isExpired(_ rule: Int) -> Bool {
        entries.contains { $0.rule == rule && $0.isOver }
    }

    /// When the next rule expires; nil if none does.
    var next: WallTime? { entries.lazy.filter { !$0.isOver }.map(\.end).min() }

    /// Updates the expiry for the current time.
    ///
    /// - Returns: the rules whose expiry has changed, with true for those that have expired.
    mutating func update(at time: WallTime) -> [Int: Bool] {
        var changed: [Int: Bool] = [:]
        for index in entries.indices where entries[index].isOver != (time >= entries[index].end) {
            entries[index].isOver.toggle()
            changed[entries[index].rule] = entries[index].isOver
        }
        return changed
    }
}
