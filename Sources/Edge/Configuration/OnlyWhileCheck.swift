internal import Diagnostics
internal import Market
internal import Rules

/// The check of `only_while`: a rule must name another rule that has the same source and can stay firing, and rules
/// must not name each other in a circle.
struct OnlyWhileCheck {
    private let rules: [Rule]
    private let places: [RuleSource]
    /// The names of rules that have other errors. A name in this set is not reported as missing.
    private let faultyNames: Set<String>
    /// The source of rules that do not name a source; nil if it is unknown.
    private let firstSource: SourceName?

    init(_ reader: RuleReader, firstSource: SourceName?) {
        rules = reader.rules
        places = reader.places
        faultyNames = reader.faultyNames
        self.firstSource = firstSource
    }

    /// The errors in the order of the rules, followed by the circles.
    var findings: [Finding] {
        let order = RuleOrder(rules)
        guard !order.companions.isEmpty else { return [] }
        let errors = rules.indices.compactMap { rule in
            rules[rule].notification.onlyWhile.flatMap { error(rule, $0, order.companions[rule]) }
        }
        return errors + order.circles.filter { $0.count > 1 }.map(circle)
    }

    private func error(_ rule: Int, _ name: String, _ other: Int?) -> Finding? {
        guard let other else {
            guard !faultyNames.contains(name) else { return nil }
            let names = rules.map(\.name).filter { $0 != rules[rule].name }.sorted()
            return finding(
                rule, "there is no rule named \"\(name)\"",
                nearest(to: name, among: names).map { "did you mean \"\($0)\"?" }
                    ?? "write the `name` of another rule, or remove the line")
        }
        if other == rule {
            return finding(rule, "`only_while` names the rule itself", "name another rule, or remove the line")
        }
        let (own, its) = (rules[rule].source ?? firstSource, rules[other].source ?? firstSource)
        if own != its {
            let names = [own, its].map { $0.map { "\($0)" } ?? "the first source" }
            return finding(
                rule, "\"\(name)\" is a rule of \(names[1]), but this one is of \(names[0])",
                "name a rule of the same source: prices of two sources are not compared")
        }
        guard rules[other].condition.kind.isMomentary else { return nil }
        return finding(
            rule, "\"\(name)\" is a crossing, which never stays firing, so this rule would never notify",
            "name a rule with a limit, a zone or a move")
    }

    private func circle(_ circle: [Int]) -> Finding {
        let names = (circle + circle.prefix(1)).map { "\"\(rules[$0].name)\"" }
        let shown = names.count > 6 ? Array(names.prefix(3)) + ["…"] + Array(names.suffix(2)) : names
        return finding(
            circle[0], "`only_while` leads in a circle: \(shown.joined(separator: ", "))",
            "remove it from one of these rules")
    }

    private func finding(_ rule: Int, _ message: String, _ advice: String) -> Finding {
        Finding(.error, at: places[rule].place(of: "only_while"), message, advice: advice)
    }
}
