internal import Configuration
internal import EventLoop
internal import ExchangeRates
internal import Feeds
internal import ReferenceRateFiles
internal import Time

/// The rates of a past date.
struct DatedRates: Sendable {
    /// The table of the date, or of the last date before it that has rates.
    var table: RateTable
    /// The time when the file with the table was fetched.
    var fetched: WallTime
}

/// The reason why the rates of a past date are not available, in one line for people.
struct PastRatesFailure: Error, Equatable {
    var message: String

    init(_ message: String) {
        self.message = message
    }

    static let stopping = PastRatesFailure("the daemon is shutting down")
}

/// The source of the rates of all dates.
enum HistorySource {
    case feed(RateHistoryFeed)
    /// No source; the text says why, and what to do.
    case none(String)
}

/// The reference rates of past dates, from the file with the whole history. The file is fetched on demand, cached in
/// the state folder, and read in slices, between which other tasks such as polls run. The rates in effect never change.
@LoopActor
final class PastRates {
    /// The maximum age of the file for dates after its last date. For such dates, an older file is fetched again.
    static let age = Milliseconds.seconds(12 * 3_600)
    /// The minimum time between two requests.
    static let shortestInterval = Milliseconds.seconds(10)
    /// The number of bytes to read at a time: about 800 rates, which take a millisecond.
    static let slice = 32 << 10
    /// The maximum number of waiting calls; further calls are refused.
    static let queueLimit = 16
    /// The maximum number of tables in memory, about 3 kB each.
    private static let tableLimit = 8

    private var source: HistorySource
    private let file: HistoryFile
    private let clock: any TimeSource
    private var requests: [(date: CivilDate, answer: OneShot<DatedRates, PastRatesFailure>)] = []
    private var worker: Task<Void, Never>?
    private var lastRequest: BootTime?
    /// The earliest time for the next request, from the server's `Retry-After`.
    private var notBefore: BootTime?
    private var lastFailure: String?
    /// The tables in memory, newest lookup last, and the dates to which each applies.
    private var found: [(dates: ClosedRange<CivilDate>, rates: DatedRates)] = []

    /// - Parameters:
    ///   - source: the source of the file.
    ///   - folder: the folder for the cached file.
    ///   - clock: the current time.
    init(_ source: HistorySource, folder: String, clock: any TimeSource) {
        (self.source, self.clock) = (source, clock)
        file = HistoryFile(folder: folder)
    }

    /// Replaces the source, and forgets the tables of the old one.
    func replace(_ source: HistorySource) {
        self.source = source
        (lastRequest, notBefore, lastFailure, found) = (nil, nil, nil, [])
    }

    /// Cancels the requests, and waits until they have ended.
    func stop() async {
        worker?.cancel()
        await worker?.value
        worker = nil
    }

    /// Returns the rates of the date, or of the last date before it that has rates.
    ///
    /// - Throws: ``PastRatesFailure`` if the rates are not available now.
    func rates(on date: CivilDate) async throws(PastRatesFailure) -> DatedRates {
        if let rates = known(date) { return rates }
        guard requests.count < Self.queueLimit else {
            throw PastRatesFailure("\(requests.count) requests for past rates are waiting; try again later")
        }
        let answer = OneShot<DatedRates, PastRatesFailure>()
        requests.append((date, answer))
        if worker == nil { worker = Loop.shared.start { [weak self] in await self?.work() } }
        return try await answer.value(onCancel: .stopping)
    }

    private func known(_ date: CivilDate) -> DatedRates? {
        found.last { $0.dates.contains(date) }?.rates
    }

    /// Answers the requests one by one, oldest first.
    private func work() async {
        while let request = requests.first, !Task.isCancelled {
            let result: Result<DatedRates, PastRatesFailure>
            do throws(PastRatesFailure) {
                result = .success(try await find(request.date))
            } catch {
                result = .failure(error)
            }
            requests.removeFirst()
            request.answer.finish(result)
        }
        for request in requests { request.answer.finish(.failure(.stopping)) }
        requests = []
        worker = nil
    }

    private func find(_ date: CivilDate) async throws(PastRatesFailure) -> DatedRates {
        if let rates = known(date) { return rates }
        guard case .feed(let feed) = source else {
            if case .none(let reason) = source { throw PastRatesFailure(reason) }
            throw .stopping
        }
        // The file is hundreds of times larger than the tables that stay in memory.
        defer { SettingsLoader.releaseMemory() }
        if let rates = try await cachedRates(on: date, of: feed) { return rates }
        return try await fetch(date, from: feed)
    }

    /// Searches the cached file for the rates of a date; nil if the file must be fetched first.
    private func cachedRates(on date: CivilDate, of feed: RateHistoryFeed) async throws(PastRatesFailure) -> DatedRates?
    {
        guard let kept = file.open(feed.address) else { return nil }
        let search = RateSearch(for: date, limits: RateHistoryFeed.limits)
        let result: RateSearch.Result
        do throws(RateFileError) {
            while let piece = kept.read(Self.slice) {
                try search.add(piece)
                await Task.yield()
                if Task.isCancelled { throw RateFileError(.cutOff, line: 1, column: 1) }
            }
            result = try search.finish()
        } catch {
            guard !Task.isCancelled else { throw .stopping }
            // A damaged file is fetched again.
            return nil
        }
        let age = clock.now().wall.since(kept.fetched)
        let isRecent = age >= .zero && age < Self.age
        // A later date in the file is wrong, and must not keep the file from being fetched again.
        let newest = CivilDate(daysSinceEpoch: kept.fetched.date.daysSinceEpoch + 1)
        guard date <= min(result.dates.upperBound, newest) || isRecent else { return nil }
        return try keep(result, on: date, fetched: kept.fetched, of: feed)
    }

    private func fetch(_ date: CivilDate, from feed: RateHistoryFeed) async throws(PastRatesFailure) -> DatedRates {
        try checkPace()
        (lastRequest, notBefore, lastFailure) = (clock.now().boot, nil, nil)
        let body: ArraySlice<UInt8>
        do throws(FeedFailure) {
            body = try await feed.fetch()
        } catch {
            notBefore = error.retryAfter.map { clock.now().boot.advanced(by: $0) }
            throw failed("cannot fetch the history of exchange rates: \(error.sentence)")
        }
        let fetched = clock.now().wall
        let result: RateSearch.Result
        do throws(RateFileError) {
            result = try await search(date, in: body)
        } catch {
            throw failed("the history of exchange rates is invalid: \(error); check `history_url` in [rates]")
        }
        await file.write(body, of: feed.address, fetched: fetched)
        return try keep(result, on: date, fetched: fetched, of: feed)
    }

    private func checkPace() throws(PastRatesFailure) {
        let now = clock.now().boot
        let soonest = max(lastRequest?.advanced(by: Self.shortestInterval) ?? now, notBefore ?? now)
        guard soonest > now else { return }
        let failure = lastFailure.map { "\($0); " } ?? ""
        throw PastRatesFailure(
            "\(failure)the history of exchange rates was requested just now; try again in "
                + soonest.since(now).approximate)
    }

    private func search(
        _ date: CivilDate, in body: ArraySlice<UInt8>
    ) async throws(RateFileError) -> RateSearch.Result {
        let search = RateSearch(for: date, limits: RateHistoryFeed.limits)
        var rest = body
        while !rest.isEmpty {
            try search.add(rest.prefix(Self.slice))
            rest = rest.dropFirst(Self.slice)
            await Task.yield()
            if Task.isCancelled { throw RateFileError(.cutOff, line: 1, column: 1) }
        }
        return try search.finish()
    }

    private func failed(_ message: String) -> PastRatesFailure {
        guard !Task.isCancelled else { return .stopping }
        lastFailure = message
        return PastRatesFailure(message)
    }

    /// Stores the table in memory, unless the source was replaced in the meantime.
    private func keep(
        _ result: RateSearch.Result, on date: CivilDate, fetched: WallTime, of feed: RateHistoryFeed
    ) throws(PastRatesFailure) -> DatedRates {
        guard let table = result.table else {
            throw PastRatesFailure("\(PastRateError.beforeFirst(date, first: result.dates.lowerBound))")
        }
        let rates = DatedRates(table: table, fetched: fetched)
        // For dates after the end of the file, newer rates may have been published, so the last table only applies to
        // its own date.
        let last = result.next.map { CivilDate(daysSinceEpoch: $0.daysSinceEpoch - 1) } ?? table.date
        if case .feed(let current) = source, current === feed {
            found.append((table.date...max(table.date, last), rates))
            if found.count > Self.tableLimit { found.removeFirst() }
        }
        return rates
    }
}
