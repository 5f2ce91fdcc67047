/// The side of a rule that an alert stands for, in the order in which those of a rule are evaluated.
package enum Bound: String, CaseIterable, Sendable {
    case min
    case max
    case within
    case rise
    case fall
    case crossUp = "cross_up"
    case crossDown = "cross_down"
}
