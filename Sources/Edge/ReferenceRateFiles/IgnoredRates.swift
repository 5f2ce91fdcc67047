/// The faults that do not spoil the rest of a file, and what to do about them.
struct IgnoredRates {
    /// Called for each of them; nil to refuse the file because of the first one.
    let report: ((RateFileError) -> Void)?
    /// The first one: the reason if nothing is left of the file.
    private(set) var first: RateFileError?

    init(report: ((RateFileError) -> Void)?) {
        self.report = report
    }

    /// Reports an error and ignores it; false for an error that spoils the whole file.
    mutating func takes(_ error: RateFileError) -> Bool {
        guard let report, error.isOfOneElement else { return false }
        if first == nil { first = error }
        report(error)
        return true
    }
}
