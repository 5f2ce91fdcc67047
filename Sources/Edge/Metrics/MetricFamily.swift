/// A metric with all its label sets.
package struct MetricFamily: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// Only increases while the process runs; its name ends with `_total`.
        case counter
        case gauge
        /// Always 1, with facts as labels; its name ends with `_info`.
        case info
    }

    /// A unit of measurement, which is part of the name.
    package enum Unit: String, Equatable, Sendable {
        case seconds
        case bytes
    }

    /// The name in samples: `alertd_polls_total`.
    package let name: StaticString
    package let kind: Kind
    /// The unit, which comes last in the name except for `_total`; nil without a unit.
    package let unit: Unit?
    /// The names of the labels, in the order in which a sample has them.
    package let labels: [StaticString]
    /// The help text: one line without a full stop.
    package let help: StaticString

    init(
        _ name: StaticString, _ kind: Kind, unit: Unit? = nil, labels: [StaticString] = [], _ help: StaticString
    ) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.labels = labels
        self.help = help
    }

    package static func == (left: Self, right: Self) -> Bool { left.name.description == right.name.description }
}
