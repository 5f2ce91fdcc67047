/// The cursor of a sink that delivers each event immediately.
struct DeliveryCursor {
    /// The number of the last event up to which nothing is left to deliver.
    private(set) var number: Int64 = 0
    private var isHeld = false

    init(after number: Int64 = 0) {
        self.number = number
    }

    /// Skips an event that is not for this sink.
    mutating func pass(_ number: Int64) {
        if !isHeld { self.number = number }
    }

    mutating func deliver(_ number: Int64) {
        self.number = number
        isHeld = false
    }

    /// Records a failed delivery. The cursor stays before the failed event until a later one is delivered.
    mutating func recordFailure() {
        isHeld = true
    }
}
