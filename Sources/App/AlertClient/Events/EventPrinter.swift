internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import Market
internal import Text
internal import Time

/// A printer that writes events one at a time, in the requested format.
struct EventPrinter {
    /// The time after which exchange rates are requested again.
    private static let ratesHoldFor = Milliseconds.seconds(3_600)

    let context: Context
    let filter: EventFilter
    private var display: PriceDisplay
    private var displayed: WallTime
    /// The banner shown last.
    private var shownBanner: [Part] = []
    private var hasHeader = false

    init(_ context: Context, _ filter: EventFilter, _ connection: any ControlConnection) throws(ClientError) {
        self.context = context
        self.filter = filter
        display = try context.display(connection)
        displayed = context.environment.now()
    }

    mutating func show(_ event: EventRecord) {
        guard filter.accepts(event) else { return }
        renewDisplay()
        let line = context.line(for: event, display)
        showBanner()
        showHeader()
        context.environment.write(line)
    }

    /// Requests the rates again from time to time. A second connection is needed, because the first one is busy with
    /// the stream of events.
    private mutating func renewDisplay() {
        let now = context.environment.now()
        guard display.currency != nil, now.since(displayed) >= Self.ratesHoldFor else { return }
        displayed = now
        if let new = try? context.display(context.connect()) { display = new }
    }

    /// Shows the rates that prices are converted with, if they have changed.
    private mutating func showBanner() {
        guard context.format.isHuman, display.banner != shownBanner else { return }
        for case .text(let text, let emphasis) in display.banner where !shownBanner.contains(.text(text, emphasis)) {
            context.warn("# \(text)")
        }
        shownBanner = display.banner
    }

    /// Writes the names of the columns before the first event; only CSV has them.
    private mutating func showHeader() {
        guard !hasHeader else { return }
        hasHeader = true
        if context.format == .csv(hasHeader: true) {
            context.environment.write(csvHeader(eventColumns(display)) + "\n")
        }
    }

    func report(missed: Int) {
        context.warn("alertctl: missed \(counted(missed, "event"))")
    }
}

extension Context {
    /// The indentation of lines that continue an event.
    private static let indent = "    "

    /// Returns the event in the requested format, with a line end.
    fileprivate func line(for event: EventRecord, _ display: PriceDisplay) -> String {
        switch format {
        case .json: jsonLine(of: event, display)
        case .plain: eventRow(event, display).map { plain($0.value) }.joined(separator: "\t") + "\n"
        case .csv: csvLine(eventRow(event, display), eventColumns(display)) + "\n"
        case .human: text(for: event, display).joined(separator: "\n") + "\n"
        }
    }

    /// Returns the price in the display currency; empty if the text already has an amount in that currency.
    private func aside(of event: EventRecord, _ display: PriceDisplay) -> String {
        guard let currency = display.currency else { return "" }
        let signs = [CurrencyStyle.of(currency).symbol, "\(currency)"]
        return signs.contains { event.text.includes($0) } ? "" : display.aside(event.price, in: event.currency)
    }

    /// Returns `2026-11-21 07:14:03  #12  FIRED     btc band  btcinr at …`; on a narrow terminal, the text is below
    /// it.
    private func text(for event: EventRecord, _ display: PriceDisplay) -> [String] {
        let kind = kindText(event)
        let padding = String(repeating: " ", count: max(0, "resolved".count - kind.text.count))
        let styledKind = formatter.styled(formatter.text(Cell(.text(kind.text))), kind.emphasis)
        let rule = event.rule.map { formatter.text(Cell(.text($0))) + "  " } ?? ""
        let text = formatter.text(Cell(.text(eventText(event) + aside(of: event, display))))
        let start = "\(formatter.stamp(event.time))  #\(event.number)  "
        let line = "\(start)\(styledKind)\(padding)  \(rule)\(text)"
        let width = columnWidth(of: start + kind.text + padding + "  " + rule + text)
        guard let room = formatter.width, room > Self.indent.count, width > room else { return [line] }
        let below = wrapped(text, width: room - Self.indent.count).map { Self.indent + $0 }
        return ["\(start)\(styledKind)\(rule.isEmpty ? "" : "\(padding)  \(rule.dropLast(2))")"] + below
    }
}
