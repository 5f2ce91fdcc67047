/// A metric with all its label sets.
package struct MetricFamily: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// Only increases while the process runs; its name ends with `_total`.
        case counter
        case gauge
        /// Always 1, with facts as labels; its name ends with `_info`.
        case info
    }

    /// Spelled out at the end of the name.
    package enum Unit: String, Equatable, Sendable {
        case seconds
        case bytes
    }

    /// As in samples: `alertd_polls_total`.
    package let name: StaticString
    package let kind: Kind
    /// The end of the name before `_total`; nil without a unit.
    package let unit: Unit?
    /// The names of its labels, in the order of a sample.
    package let labels: [StaticString]
    /// One line without a full stop.
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
