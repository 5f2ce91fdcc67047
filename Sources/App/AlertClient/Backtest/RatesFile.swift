internal import Arguments
internal import Configuration
internal import Engine
internal import ExchangeRates
internal import Market
internal import ReferenceRateFiles
internal import Time

/// Reference rates of a file, by date.
struct RatesFile {
    private let history: RateHistory
    /// Those that were in force last.
    private var date: CivilDate?
    private var rates: ReferenceRates?

    /// Reads the file that `--rates` names; nil without the option.
    init?(_ context: Context) throws(ClientError) {
        guard let path = context.arguments.value("rates") else { return nil }
        switch context.environment.files.contents(of: path, limit: RateFileLimits().byteCount) {
        case .found(let bytes):
            do throws(RateFileError) {
                history = try RateHistory(file: bytes)
            } catch {
                throw .file("\(path):\(error.line):\(error.column): \(error.fault)")
            }
        case .missing: throw .file("\(path): cannot be read: there is no such file")
        case .failed(let reason): throw .file("\(path): cannot be read: \(reason)")
        }
    }

    /// The rates that were in force then: those of the day or of the last one before it.
    mutating func rates(at time: WallTime) -> ReferenceRates? {
        let day = time.date
        guard day != date else { return rates }
        date = day
        rates = history.table(on: day).map { ReferenceRates($0, isStale: $0.isStale(on: day)) }
        return rates
    }
}
