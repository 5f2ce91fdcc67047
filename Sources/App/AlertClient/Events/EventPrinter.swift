internal import Control
internal import Market
internal import Time

/// Writes events one at a time, in the form the user asked for.
struct EventPrinter {
    /// After how long other exchange rates are asked for.
    private static let ratesHoldFor = Milliseconds.seconds(3_600)

    let context: Context
    let filter: EventFilter
    private var display: PriceDisplay
    private var displayed: WallTime
    /// What was said of the currency already.
    private var said: [Part] = []

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
        sayBanner()
        context.environment.write(line)
    }

    /// Asks for the rates anew now and then; the connection that events come by has no room for it.
    private mutating func renewDisplay() {
        let now = context.environment.now()
        guard display.currency != nil, now.since(displayed) >= Self.ratesHoldFor else { return }
        displayed = now
        if let new = try? context.display(context.connect()) { display = new }
    }

    /// Says by which rates prices are converted, when they are others than before.
    private mutating func sayBanner() {
        guard context.format.isHuman, display.banner != said else { return }
        said = display.banner
        for case .words(let words, _) in said { context.note("# \(words)") }
    }

    func tell(missed: Int) {
        context.note("alertctl: missed \(counted(missed, "event"))")
    }
}

extension Context {
    /// One line for the event.
    fileprivate func line(for event: EventRecord, _ display: PriceDisplay) -> String {
        switch format {
        case .json: jsonLine(of: event, display)
        case .plain, .csv: eventRow(event, display).map { plain($0.value) }.joined(separator: "\t") + "\n"
        case .human: words(for: event, display) + "\n"
        }
    }

    /// `2026-11-21 07:14:03  #12  FIRED     btc band  btcinr at …`
    private func words(for event: EventRecord, _ display: PriceDisplay) -> String {
        let word = eventWord(event)
        let padding = String(repeating: " ", count: max(0, "resolved".count - word.text.count))
        let kind = formatter.styled(formatter.text(Cell(.text(word.text))), word.emphasis)
        let rule = event.rule.map { formatter.text(Cell(.text($0))) + "  " } ?? ""
        let text = formatter.text(Cell(.text(eventText(event) + display.aside(event.price, in: event.currency))))
        return "\(formatter.stamp(event.time))  #\(event.number)  \(kind)\(padding)  \(rule)\(text)"
    }
}
