/// The cursor of a sink that delivers each event at once.
struct DeliveryCursor {
    /// The number of the last event up to which nothing is left to deliver.
    private(set) var number: Int64 = 0
    private var isHeld = false

    init(after number: Int64 = 0) {
        self.number = number
    }

    /// The event is not for this sink.
    mutating func pass(_ number: Int64) {
        if !isHeld { self.number = number }
    }

    mutating func deliver(_ number: Int64) {
        self.number = number
        isHeld = false
    }

    /// The event could not be delivered; the cursor stays before it until a later one was.
    mutating func hold() {
        isHeld = true
    }
}
