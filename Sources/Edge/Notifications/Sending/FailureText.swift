internal import Text

/// The text of a `receiver_failed`: `receiver phone has failed for 5m: the service is not available (status 503): …`.
///
/// A service may give other details each time, such as the number of the request. What precedes them is the kind of the
/// failure.
struct FailureText: Equatable {
    /// `has failed`, maybe with a length of time, or `does not reach all recipients`.
    private let predicate: String
    private let reason: String

    init(_ predicate: String, _ reason: String) {
        (self.predicate, self.reason) = (predicate, reason)
    }

    /// Reads the text that an earlier process reported; nil if it has another form.
    init?(_ text: String, of receiver: String) {
        let start = Self.start(for: receiver)
        guard text.hasPrefix(start) else { return nil }
        guard let (predicate, reason) = String(text.dropFirst(start.count)).split(around: ": ") else { return nil }
        self.init(predicate, reason)
    }

    func text(for receiver: String) -> String { "\(Self.start(for: receiver))\(predicate): \(reason)" }

    /// Whether both are about the same failure, however long it lasts and whatever details the service adds.
    func isSameKind(as other: FailureText) -> Bool {
        isPartial == other.isPartial && kind == other.kind
    }

    private var kind: String { reason.split(around: ": ")?.before ?? reason }

    private var isPartial: Bool { !predicate.hasPrefix("has failed") }

    private static func start(for receiver: String) -> String { "receiver \(receiver) " }
}
