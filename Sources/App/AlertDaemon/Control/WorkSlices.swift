internal import EventLoop
internal import Varlink

/// The division of the work for a call into slices of about a millisecond. After each slice, polling, delivery and
/// other calls get their turn. If the client is gone, the work ends with the current slice.
@LoopActor
struct WorkSlices {
    /// The units in a slice. One unit is a step over an alert, which takes about a quarter of a microsecond.
    static let size = 4_096
    /// The cost of a summary of an alert.
    static let summary = 8
    /// The cost of a full description of an alert.
    static let view = 64

    /// The call; nil for work without one.
    private let call: VarlinkCall?
    /// The units that are left in the slice.
    private(set) var left = size

    init(for call: VarlinkCall? = nil) {
        self.call = call
    }

    /// Counts completed work, and lets other tasks run when the slice is used up.
    ///
    /// - Throws: an error if the client is gone.
    mutating func spend(_ units: Int) async throws(VarlinkError) {
        left -= units
        guard left <= 0 else { return }
        left = Self.size
        await Task.yield()
        // No client reads this error.
        if call?.isClosed ?? false { throw .refused("the client is gone") }
    }
}
