internal import Rules
internal import Time

/// Which rules have expired.
struct RuleExpiry: Sendable {
    /// Rules that expire, and whether they have.
    private var entries: [(rule: Int, end: WallTime, isOver: Bool)]

    init(_ rules: [Rule]) {
        entries = rules.indices.compactMap { number in rules[number].expires.map { (number, $0, false) } }
    }

    func isExpired(_ rule: Int) -> Bool {
        entries.contains { $0.rule == rule && $0.isOver }
    }

    /// When the first rule expires that has not yet; nil if none does.
    var next: WallTime? { entries.lazy.filter { !$0.isOver }.map(\.end).min() }

    /// Notes the time.
    ///
    /// - Returns: the rules whose answer has changed, and whether they have expired now.
    mutating func update(at time: WallTime) -> [Int: Bool] {
        var changed: [Int: Bool] = [:]
        for index in entries.indices where entries[index].isOver != (time >= entries[index].end) {
            entries[index].isOver.toggle()
            changed[entries[index].rule] = entries[index].isOver
        }
        return changed
    }
}
