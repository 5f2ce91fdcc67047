internal import Arguments
internal import Charts
internal import Control
internal import Diagnostics
internal import Market
internal import Terminal
internal import Time

/// `alertctl watch`: shows a live view of prices, limits, alerts and events.
enum WatchCommand: Command {
    static let specification = CommandLineSpecification(
        "watch", summary: "Watch prices, limits and alerts live",
        discussion: [
            "Fills the terminal (\(WatchScreen.leastWidth)x\(WatchScreen.leastHeight) or larger) with a list of all "
                + "symbols, and for each one a chart with its limits, alerts and events. '?' shows the keys. The "
                + "first line says how old the prices are; if the daemon restarts, the view waits for it.",
            "Its colours suit the background that the terminal reports; ALERTCTL_BACKGROUND=light or dark decides "
                + "instead.",
            "Press 'l' to move a limit with the arrow keys. The view shows how often it would have fired in the range "
                + "of the chart. Nothing changes until you confirm it.",
            "Press 'x' to convert an amount, at first the price of the selected symbol, while you type. Tab changes "
                + "the field, Enter keeps the conversion for 'alertctl convert --history', and Escape closes the "
                + "converter.",
        ],
        examples: [
            Example("alertctl watch", "All symbols."),
            Example("alertctl watch btcinr", "The chart of one symbol."),
            Example("alertctl watch --currency SEK", "Prices in Swedish kronor."),
        ],
        options: [
            OptionSpecification(
                "symbols", value: "SET", kind: .oneOf(SymbolSet.allCases.map(\.rawValue)),
                help: "The characters to draw with")
        ],
        operands: [
            OperandSpecification(
                "SYMBOL", kind: .live("symbols"), isOptional: true, help: "Start with the chart of this symbol")
        ])

    static let refusedFormats = FormatOption.allCases

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        try checkTerminal(context.environment)
        let symbols = try SymbolSet(context)
        let loader = WatchLoader(context)
        var state = WatchState()
        state.favourites = Set(try Favourites(context.environment).symbols)
        loader.refresh(&state.data, isForced: true)
        state.selected = state.data.symbols.first?.symbol
        if let name = context.arguments.operands.first?.lowercased() {
            let found = state.data.symbols.first { $0.symbol == name || SourcedText($0.symbol).symbol == name }
            // The daemon's error suggests the symbol that was probably meant.
            if state.data.fault == nil, found == nil {
                _ = try context.connect().call(
                    .getSymbol, GetSymbolParameters(symbol: name), returning: GetSymbolReply.self)
            }
            (state.selected, state.mode) = (found?.symbol ?? name, .detail)
        }
        let terminal: Terminal
        do throws(TerminalError) {
            terminal = try Terminal(
                Palette(context.formatter.colorDepth, isLight: context.formatter.isLight),
                asksBackground: !TerminalBackground(context.environment.variables).isChosen)
        } catch {
            throw error == .notATerminal
                ? .usage("'alertctl watch' needs a terminal; use 'alertctl list' or 'alertctl tail'")
                : .file("the terminal cannot be used: \(error)")
        }
        defer { terminal.restore() }
        loader.readChart(&state)
        var view = WatchView(state, loader, terminal, context, symbols)
        view.run()
        return .success
    }
}

extension WatchCommand {
    /// Checks that the terminal understands control sequences, which the live view needs.
    private static func checkTerminal(_ environment: ClientEnvironment) throws(ClientError) {
        let term = environment.variables["TERM"]
        guard environment.isTerminal, HumanFormatter.isDumb(term) else { return }
        let reason = term.map { $0.isEmpty ? "TERM is empty" : "TERM is '\(visible($0))'" } ?? "TERM is not set"
        throw .usage(
            "'alertctl watch' needs a terminal with a movable cursor, but \(reason); use 'alertctl list' or "
                + "'alertctl tail'")
    }
}

/// The loop of the live view.
private struct WatchView {
    /// Minimum interval between automatic reloads of the chart, which may have many prices.
    private static let chartInterval = Milliseconds.seconds(10)

    private var state: WatchState
    private let loader: WatchLoader
    private let terminal: Terminal
    private let context: Context
    private let symbols: SymbolSet
    private var lastRefresh: WallTime
    private var lastChart: WallTime
    private var isEnding = false

    init(
        _ state: WatchState, _ loader: WatchLoader, _ terminal: Terminal, _ context: Context, _ symbols: SymbolSet
    ) {
        self.state = state
        self.loader = loader
        self.terminal = terminal
        self.context = context
        self.symbols = symbols
        lastRefresh = context.environment.now()
        lastChart = lastRefresh
    }

    mutating func run() {
        while !isEnding {
            draw()
            switch terminal.next(within: timeToNextCall) {
            case .key(let key): handle(key)
            case .redraw: continue
            case .timeout: break
            case .end: return
            }
            if timeToRefresh <= .zero { refresh() }
            if state.converter?.remaining(at: context.environment.now()) == .zero { loader.convert(&state) }
        }
    }

    private mutating func handle(_ key: Key) {
        for action in state.handle(key) { perform(action) }
        let now = context.environment.now()
        state.converter?.setEditTime(now)
    }

    /// The time until the next status request or the conversion of the typed amount, whichever comes first.
    private var timeToNextCall: Milliseconds {
        guard let remaining = state.converter?.remaining(at: context.environment.now()) else { return timeToRefresh }
        return min(timeToRefresh, remaining)
    }

    /// The time until the next status request.
    private var timeToRefresh: Milliseconds {
        let passed = context.environment.now().since(lastRefresh)
        // If the clock was set back, refresh immediately instead of waiting for it to catch up.
        guard passed >= .zero else { return .zero }
        return Milliseconds(WatchLoader.statusInterval.count - passed.count)
    }

    private mutating func refresh() {
        let received = state.data.status?.dataTimes
        loader.refresh(&state.data)
        state.converter?.update(isNew: state.data.status?.dataTimes != received, fault: state.data.fault)
        lastRefresh = context.environment.now()
        if state.selected == nil { state.selected = state.rows.first?.symbol }
        let isDue = lastRefresh.since(lastChart).count.magnitude >= Self.chartInterval.count.magnitude
        if state.mode == .detail, state.moved == nil, state.data.status?.dataTimes != received, isDue {
            readChart()
        }
    }

    private mutating func readChart() {
        loader.readChart(&state)
        lastChart = context.environment.now()
    }

    private mutating func draw() {
        let (width, height) = terminal.size
        let rows = WatchScreen.listHeight(height, hasConverter: state.converter != nil)
        state.listHeight = rows
        let count = state.rows.count
        if let index = state.rows.firstIndex(where: { $0.symbol == state.selected }) {
            state.firstRow = min(max(state.firstRow, index - rows + 1), index)
        }
        state.firstRow = min(state.firstRow, max(0, count - rows))
        let formatter = HumanFormatter(context.arguments, in: context.environment)
        terminal.draw(WatchScreen.draw(state, formatter, symbols, width: width, height: height))
    }

    private mutating func perform(_ action: WatchAction) {
        switch action {
        case .quit: isEnding = true
        case .mouse(let isOn): terminal.reportMouse(isOn)
        case .keepConversion: loader.keepConversion(&state)
        case .nextCurrency: loader.nextCurrency(&state.data)
        case .readChart: readChart()
        case .setFavourite(let symbol, let isOn): loader.setFavourite(symbol, isOn: isOn, &state)
        case .setLimit, .silence, .acknowledge, .arm:
            state.message = loader.change(action)
            loader.refresh(&state.data, isForced: true)
            readChart()
        }
    }
}
