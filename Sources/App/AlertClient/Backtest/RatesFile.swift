internal import Arguments
internal import Configuration
internal import Engine
internal import ExchangeRates
internal import Market
internal import ReferenceRateFiles
internal import Time

/// Reference rates for recorded prices.
enum PastRates {
    /// The rates of each day.
    case file(RatesFile)
    /// The rates of one day, used for all times.
    case constant(ReferenceRates)

    mutating func rates(at time: WallTime) -> ReferenceRates? {
        switch self {
        case .constant(let rates): return rates
        case .file(var file):
            let rates = file.rates(at: time)
            self = .file(file)
            return rates
        }
    }
}

/// Reference rates from a file, by date.
struct RatesFile {
    private let history: RateHistory
    /// The rates returned last, and the times for which they are in effect, in milliseconds since 1970.
    private var rates: ReferenceRates?
    private var milliseconds: Range<Int64> = 0..<0

    /// Reads the file given with `--rates`; nil without the option.
    init?(_ context: Context) throws(ClientError) {
        guard let path = context.arguments.value("rates") else { return nil }
        switch context.environment.files.contents(of: path, limit: RateFileLimits().byteCount) {
        case .found(let bytes):
            var ignored = 0
            do throws(RateFileError) {
                history = try RateHistory(file: bytes) { error in
                    ignored += 1
                    guard ignored <= 5 else { return }
                    context.warn("\(path):\(error.line):\(error.column): \(error.fault); ignored")
                }
                if ignored > 5 { context.warn("\(path): \(ignored - 5) more rates are ignored") }
            } catch {
                if let kind = Compression(of: bytes) {
                    throw .file(
                        "\(path): is compressed; decompress it first, for example with '\(kind.command) \(path)'")
                }
                throw .file("\(path):\(error.line):\(error.column): \(error.fault)")
            }
        case .missing: throw .file("\(path): no such file")
        case .failed(let reason, _): throw .file("\(path): cannot read it: \(reason)")
        }
    }

    /// The first and the last date of the file.
    var dates: ClosedRange<CivilDate> {
        let last = history.latest.date
        return (history.tables.first?.date ?? last)...last
    }

    /// Returns the rates of a date, or of the last date before it; nil before the first date of the file.
    func table(on date: CivilDate) -> RateTable? { history.table(on: date) }

    /// Returns the rates in effect at a time: the rates of the last day that had been published by then.
    mutating func rates(at time: WallTime) -> ReferenceRates? {
        guard !milliseconds.contains(time.milliseconds) else { return rates }
        let day = time.date
        let midnight = day.daysSinceEpoch * 86_400_000
        let publication = day.ratesApplyFrom.milliseconds
        let isPublished = time.milliseconds >= publication
        milliseconds = isPublished ? publication..<midnight + 86_400_000 : midnight..<publication
        let last = isPublished ? day : CivilDate(daysSinceEpoch: day.daysSinceEpoch - 1)
        rates = history.table(on: last).map { ReferenceRates($0, isStale: $0.isStale(on: day)) }
        return rates
    }
}
