internal import Configuration
internal import Control
internal import Delivery
internal import EventLoop
internal import Events
internal import ExchangeRates
internal import Glibc
internal import Journal
internal import Market
internal import Storage
internal import Time

extension StateStore {
    /// Returns at most `limit` events after the given number, oldest first: from the file or, if it has none of them,
    /// from the events that wait to be saved. Returns nil if the file cannot be read and no such event waits.
    func events(after number: Int64, limit: Int) -> [Event]? {
        var query: EventQuery? = EventQuery(after: number, limit: limit)
        while let asked = query, store.isOpen, let page = try? store.events(asked) {
            if !page.events.isEmpty { return page.events }
            query = page.next
        }
        let waiting = unsaved.drop { $0.number <= number }.prefix(limit)
        return waiting.isEmpty && query != nil ? nil : Array(waiting)
    }

    /// Returns the stored reference rates of the last date that is not after the given one; nil if there are none.
    func rates(on date: CivilDate) -> RateTable? {
        store.isOpen ? (try? store.rates(on: date))?.latest?.rates : nil
    }

    /// Applies new limits on what is kept.
    func setRetention(_ settings: EventSettings) {
        store.options.keepEvents = settings.keep
        store.options.mostEvents = Int64(settings.count)
    }

    /// Logs stored data that cannot be read. The data is ignored, and the parts concerned begin without stored state.
    func reportUnreadable(_ names: [String]) {
        for name in names.prefix(20) { log?.error("state: ignoring unreadable data: \(name)", id: .storeFails) }
        if names.count > 20 { log?.error("state: and \(names.count - 20) more", id: .storeFails) }
    }

    /// Returns the part of the reply to `Status` about the store.
    func status() -> StoreStatus {
        let numbers = store.isOpen ? try? store.keptNumbers() : nil
        return StoreStatus(
            path: store.path, state: isDegraded ? .degraded : .ok, message: trouble?.error.description,
            since: trouble?.since.wall.description, unsaved: unsaved.count,
            bytes: Self.byteCount(store.path) + Self.byteCount(store.path + "-wal"), events: numbers?.count ?? 0,
            lastSaved: lastSaved?.description)
    }

    private static func byteCount(_ path: String) -> Int {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
