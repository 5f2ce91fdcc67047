/// The faults that leave the rest of a file usable, and their handling.
struct IgnoredRates {
    /// Called for each of these faults; nil to refuse the file because of the first one.
    let report: ((RateFileError) -> Void)?
    /// The first of these faults, which is reported if no rate of the file is left.
    private(set) var first: RateFileError?

    init(report: ((RateFileError) -> Void)?) {
        self.report = report
    }

    /// Reports a fault and ignores it. Returns false for a fault that makes the whole file unusable.
    mutating func handle(_ error: RateFileError) -> Bool {
        guard let report, error.isOfOneElement else { return false }
        if first == nil { first = error }
        report(error)
        return true
    }
}
