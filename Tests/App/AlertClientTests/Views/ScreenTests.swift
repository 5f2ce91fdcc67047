import Charts
import Control
import Market
import Terminal
import TestSupport
import Testing
import Time

@testable import AlertClient
@testable import Arguments

/// The screens of `watch` and `chart`, compared with files that were looked at, and shown in two terminal emulators.
struct ScreenTests {
    private static let sizes = [(80, 24), (100, 30), (200, 60), (300, 100)]

    /// A market of 60 symbols with an hour of prices of the first one.
    private func state(_ run: Run) throws -> WatchState {
        let loader = WatchLoader(try Context(ParsedArgumentsFixture.empty, in: run.environment))
        run.daemon.replies[.listTickers] = ListTickersReply(
            simulated: false, source: "wazirx", received: Sample.received, stale: false,
            symbols: Sample.symbols + Self.more)
        var state = WatchState()
        loader.refresh(&state.data)
        state.data.names = { ["btc": "Bitcoin", "eth": "Ethereum", "shib": "Shiba Inu"][$0] }
        state.data.previous = ["btcinr": "7512000", "shibinr": "0.00000042", "c03usdt": "4"]
        state.favourites = ["btcinr", "ethusdt"]
        state.selected = "btcinr"
        state.rangeIndex = 0
        state.mode = .detail
        loader.readChart(&state)
        state.mode = .list
        return state
    }

    private static let more = (0..<56).map { index in
        let name = "c\(index < 10 ? "0" : "")\(index)"
        return SymbolStatus(
            source: "wazirx", symbol: name + "usdt", base: name, quote: "usdt", last: "\(index + 1).25",
            bid: "\(index + 1).2", ask: "\(index + 1).3", open: "\(index + 1)", changePercent: "\(index - 28).50",
            exchangeTime: Sample.received, received: Sample.received, state: .ok, firing: 0)
    }

    /// The screens that a user sees one after the other, each after these keys.
    private static let steps: [(name: String, keys: [Key])] = [
        ("list", []), ("down", [.down, .pageDown]), ("search", Array("/bitc").map { .character($0) }),
        ("found", [.enter]), ("detail", [.escape, .home, .enter]), ("move", [.tab, .character("l"), .shiftUp]),
        ("question", [.enter]), ("unchanged", [.character("n"), .escape]), ("events", [.character("e")]),
        ("help", [.character("?")]), ("back", [.enter, .escape]),
    ]

    private func screens(_ width: Int, _ height: Int) throws -> [(name: String, grid: CellGrid)] {
        let run = chartRun(width: width)
        var state = try state(run)
        let chart = state.data.chart
        return Self.steps.map { name, keys in
            state.listHeight = WatchScreen.listHeight(height)
            for key in keys { if state.handle(key).contains(.readChart) { state.data.chart = chart } }
            return (name, WatchScreen.draw(state, run.formatter, .braille, width: width, height: height))
        }
    }

    @Test(arguments: sizes)
    func screensOfTheLiveViewAreAsBefore(width: Int, height: Int) throws {
        let kept = width == 80 ? Self.steps.map(\.name) : ["list", "detail", "move"]
        for (name, grid) in try screens(width, height) where kept.contains(name) {
            try expectGolden("watch-\(name)-\(width)x\(height).txt", grid.plainLines)
        }
    }

    @Test(arguments: sizes)
    func theConverterIsAsBefore(width: Int, height: Int) throws {
        let run = chartRun(width: width)
        var state = try state(run)
        for (name, mode) in [("convert", WatchState.Mode.list), ("convert-detail", .detail)] {
            state.mode = mode
            _ = state.handle(.character("x"))
            state.converter?.finish(.results([Sample.conversion]))
            let grid = WatchScreen.draw(state, run.formatter, .braille, width: width, height: height)
            if height <= 30 { try expectGolden("watch-\(name)-\(width)x\(height).txt", grid.plainLines) }
            #expect(grid.plainLines[height - 5].hasPrefix(" Amount"))
            _ = state.handle(.escape)
        }
    }

    @Test(
        .enabled(if: TerminalTools.python != nil, "\(TerminalTools.missing)"), arguments: sizes,
        TerminalTools.Emulator.allCases)
    func terminalsShowTheLiveView(size: (Int, Int), emulator: TerminalTools.Emulator) throws {
        var difference = ScreenDifference(Palette(.sixteen))
        let screens = try screens(size.0, size.1)
        let frames = screens.map { TerminalTools.Frame(difference.update(to: $0.grid), expected: $0.grid.plainLines) }
        let shown = try TerminalTools.screens(emulator, width: size.0, height: size.1, frames)
        try #require(shown.count == frames.count)
        for (index, screen) in shown.enumerated() {
            #expect(screen.lines == frames[index].expected, "\(screens[index].name)")
        }
    }

    private func chart(_ width: Int, _ height: Int, _ symbols: SymbolSet, hasColor: Bool = false) -> String {
        let run = chartRun(width: width)
        if hasColor { run.environment.variables = ["LANG": "C.UTF-8", "TERM": "xterm-256color"] }
        run("chart btcinr --since 1h --currency quote --symbols \(symbols) --size \(width)x\(height)")
        return run.output
    }

    @Test(arguments: sizes, SymbolSet.allCases)
    func chartsAreAsBefore(size: (Int, Int), symbols: SymbolSet) throws {
        guard symbols == .braille || size == (80, 24) else { return }
        let lines = chart(size.0, size.1 - 5, symbols).split(separator: "\n", omittingEmptySubsequences: false)
        try expectGolden("chart-\(symbols)-\(size.0)x\(size.1).txt", lines.map(String.init))
    }

    @Test(
        .enabled(if: TerminalTools.python != nil, "\(TerminalTools.missing)"), arguments: sizes,
        TerminalTools.Emulator.allCases)
    func terminalsShowCharts(size: (Int, Int), emulator: TerminalTools.Emulator) throws {
        let frames = SymbolSet.allCases.map { symbols in
            let plain = chart(size.0, size.1 - 5, symbols).split(separator: "\n", omittingEmptySubsequences: false)
                .map { line in
                    let end = line.lastIndex { $0 != " " }
                    return end.map { String(line[...$0]) } ?? ""
                }
            let text = chart(size.0, size.1 - 5, symbols, hasColor: true)
            let lines = plain + Array(repeating: "", count: max(0, size.1 - plain.count))
            return TerminalTools.Frame("\u{1B}[H\u{1B}[2J" + text.replacing("\n", with: "\r\n"), expected: lines)
        }
        let shown = try TerminalTools.screens(emulator, width: size.0, height: size.1, frames)
        try #require(shown.count == frames.count)
        for (screen, frame) in zip(shown, frames) { #expect(screen.lines == frame.expected) }
    }

    private func expectGolden(_ name: String, _ lines: [String]) throws {
        let text = lines.map { $0 + "\n" }.joined()
        let golden = try goldenText("App/AlertClientTests/Golden/\(name)", updatedWith: text)
        #expect(text == golden, "differs from Golden/\(name)")
    }
}
