internal import Arguments
internal import Configuration
internal import Engine
internal import ExchangeRates
internal import Market
internal import ReferenceRateFiles
internal import Time

/// Reference rates from a file, by date.
struct RatesFile {
    private let history: RateHistory
    /// The rates returned last.
    private var date: CivilDate?
    private var rates: ReferenceRates?

    /// Reads the file given with `--rates`; nil without the option.
    init?(_ context: Context) throws(ClientError) {
        guard let path = context.arguments.value("rates") else { return nil }
        switch context.environment.files.contents(of: path, limit: RateFileLimits().byteCount) {
        case .found(let bytes):
            do throws(RateFileError) {
                history = try RateHistory(file: bytes)
            } catch {
                throw .file("\(path):\(error.line):\(error.column): \(error.fault)")
            }
        case .missing: throw .file("\(path): no such file")
        case .failed(let reason): throw .file("\(path): cannot read it: \(reason)")
        }
    }

    /// The rates in effect at that time: those of the day, or of the last day before it that has any.
    mutating func rates(at time: WallTime) -> ReferenceRates? {
        let day = time.date
        guard day != date else { return rates }
        date = day
        rates = history.table(on: day).map { ReferenceRates($0, isStale: $0.isStale(on: day)) }
        return rates
    }
}
