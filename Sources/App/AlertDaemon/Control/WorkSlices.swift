internal import EventLoop
internal import Varlink

/// Divides the work for a call into slices of about a millisecond. After each of them, polling, delivery and the calls
/// of others come first. The work for a client that is gone ends with its slice.
@LoopActor
struct WorkSlices {
    /// The units of a slice. One is a step over an alert, which takes about a quarter of a microsecond.
    static let size = 4_096
    /// What a summary of an alert costs.
    static let summary = 8
    /// What a full description of an alert costs.
    static let view = 64

    /// Nil for work without a call.
    private let call: VarlinkCall?
    /// How many units are left of the slice.
    private(set) var left = size

    init(for call: VarlinkCall? = nil) {
        self.call = call
    }

    /// Counts work that was done, and lets others have their turn when the slice is used up.
    ///
    /// - Throws: when the client is gone.
    mutating func spend(_ units: Int) async throws(VarlinkError) {
        left -= units
        guard left <= 0 else { return }
        left = Self.size
        await Task.yield()
        // Nobody reads this.
        if call?.isClosed ?? false { throw .refused("the client is gone") }
    }
}
