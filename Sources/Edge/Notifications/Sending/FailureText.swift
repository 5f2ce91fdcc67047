internal import Text

/// The text of `receiver_failed`: `receiver phone has failed for 5m: the service is not available (status 503): …`.
///
/// A service may add different details each time, such as the number of the request. The text before the details is
/// the kind of the failure.
struct FailureText: Equatable {
    /// The predicate: `has failed`, possibly with a length of time, or `does not reach all recipients`.
    private let predicate: String
    private let reason: String

    init(_ predicate: String, _ reason: String) {
        (self.predicate, self.reason) = (predicate, reason)
    }

    /// Parses the text that an earlier process reported. Nil if it has another form.
    init?(_ text: String, of receiver: String) {
        let start = Self.start(for: receiver)
        guard text.hasPrefix(start) else { return nil }
        guard let (predicate, reason) = String(text.dropFirst(start.count)).split(around: ": ") else { return nil }
        self.init(predicate, reason)
    }

    func text(for receiver: String) -> String { "\(Self.start(for: receiver))\(predicate): \(reason)" }

    /// Returns true if both texts are about the same failure, however long it lasts and whatever details the service
    /// adds.
    func isSameKind(as other: FailureText) -> Bool {
        isPartial == other.isPartial && kind == other.kind
    }

    private var kind: String { reason.split(around: ": ")?.before ?? reason }

    private var isPartial: Bool { !predicate.hasPrefix("has failed") }

    private static func start(for receiver: String) -> String { "receiver \(receiver) " }
}
