import Charts
import Control
import Diagnostics
import Foundation
import Market
import Terminal
import TestSupport
import Testing
import Time

@testable import AlertClient

/// The live view on a small market.
struct WatchTests {
    private func state(_ change: (inout WatchState) -> Void = { _ in }) -> WatchState {
        var state = WatchState()
        state.data.status = Sample.status
        state.data.symbols = Sample.symbols
        state.data.alerts = Sample.alerts
        state.data.events = [Sample.resolved, Sample.event]
        state.data.names = { ["btc": "Bitcoin", "eth": "Ethereum"][$0] }
        state.selected = "btcinr"
        change(&state)
        return state
    }

    private func lines(
        _ state: WatchState, width: Int = 80, height: Int = 24, symbols: SymbolSet = .braille
    ) -> [String] {
        let run = Run(width: width)
        return WatchScreen.draw(state, run.formatter, symbols, width: width, height: height).plainLines
    }

    @Test func theListShowsPricesStatesAndTheNearestLimit() {
        let lines = lines(state())
        #expect(lines[0].hasPrefix("alertd  market prices  ● 1 firing"))
        #expect(lines[0].hasSuffix("wazirx, 12s ago"))
        #expect(lines[1].hasPrefix("  SYMBOL"))
        #expect(lines[2].hasPrefix("▸ btcinr"))
        #expect(lines[2].contains("● FIRING") && lines[2].contains("0.17% beyond max"))
        // Names take the room of the amount, which is not cut.
        #expect(lines[1].contains("NAME") && !lines[2].contains("max ₹"), "\(lines[2])")
        #expect(self.lines(state(), width: 110)[2].contains("0.17% beyond max ₹75,00,000.00"))
        #expect(lines[22].hasPrefix("4 symbols"))
        #expect(lines[23].hasPrefix("? help"))
    }

    /// As with the star on the page: what is selected, what the file had, and what it has after `f`.
    @Test(
        arguments: [
            ("btcinr", [], ["btcinr"]), ("btcinr", ["wazirx:btcinr"], []), ("wazirx:btcinr", [], ["wazirx:btcinr"]),
            ("wazirx:btcinr", ["btcinr"], []),
            ("wazirx:btcinr", ["kraken:btcinr"], ["kraken:btcinr", "wazirx:btcinr"]),
        ] as [(String, Set<String>, Set<String>)])
    func aFavouriteKeepsItsSource(name: String, before: Set<String>, after: Set<String>) throws {
        let run = Run(width: 80)
        run.environment.userFolder =
            FileManager.default.temporaryDirectory
            .appending(path: "favourites-\(UInt64.random(in: 0 ... .max))").path
        defer { try? FileManager.default.removeItem(atPath: run.environment.userFolder ?? "") }
        _ = try Favourites.update(run.environment) { _ in before.sorted() }
        let loader = WatchLoader(try Context(ParsedArgumentsFixture.empty, in: run.environment))
        var state = state {
            $0.data.symbols[0].symbol = name
            $0.selected = name
            $0.favourites = before
        }
        let isMarked = lines(state)[2].contains("★")
        #expect(isMarked == after.isStrictSubset(of: before), "\(lines(state)[2])")
        let isOn = after.isSuperset(of: before) && after != before
        #expect(state.handle(.character("f")) == [.setFavourite(symbol: name, isOn: isOn)])
        loader.setFavourite(name, isOn: isOn, &state)
        #expect(state.favourites == after)
        #expect(lines(state)[2].contains("★") == !isMarked)
    }

    /// A symbol may be delisted after the prices were read.
    @Test func onlyAListedSymbolBecomesAFavourite() throws {
        let run = Run(width: 80)
        run.environment.userFolder =
            FileManager.default.temporaryDirectory
            .appending(path: "favourites-\(UInt64.random(in: 0 ... .max))").path
        defer { try? FileManager.default.removeItem(atPath: run.environment.userFolder ?? "") }
        _ = try Favourites.update(run.environment) { _ in ["oldinr"] }
        run.daemon.failures[.getSymbol] = { parameters in
            .noSuchSymbol(NoSuchSymbol(symbol: (parameters as? GetSymbolParameters)?.symbol ?? "", suggestion: nil))
        }
        let loader = WatchLoader(try Context(ParsedArgumentsFixture.empty, in: run.environment))
        var state = state { $0.favourites = ["oldinr"] }
        loader.setFavourite("btcinr", isOn: true, &state)
        #expect(state.message?.isFault == true && state.favourites == ["oldinr"])
        #expect(try Favourites(run.environment).symbols == ["oldinr"])
        loader.setFavourite("oldinr", isOn: false, &state)
        #expect(try Favourites(run.environment).symbols == [])
    }

    @Test func insideAZoneNothingIsBeyond() {
        let lines = lines(
            state {
                for index in $0.data.alerts.indices where $0.data.alerts[index].isFiring {
                    ($0.data.alerts[index].bound, $0.data.alerts[index].distancePercent) = (.within, "-99")
                }
            })
        #expect(lines[2].contains("● FIRING  within ₹75,00,000.00") && !lines[2].contains("beyond"), "\(lines[2])")
    }

    @Test(arguments: [(60, 12), (80, 24), (120, 40), (300, 100)])
    func everyModeFitsTheScreen(width: Int, height: Int) {
        for mode in [WatchState.Mode.list, .detail, .events, .help] {
            let state = state {
                $0.mode = mode
                $0.data.chart = nil
            }
            #expect(lines(state, width: width, height: height).allSatisfy { columnWidth(of: $0) <= width })
        }
    }

    @Test func longTextsOfEventsAreWrapped() {
        let words =
            "btcinr is at or above its maximum of 7500000 INR since ten minutes, as the rule with the long name says"
        let state = state {
            $0.mode = .events
            $0.data.events[0].text = words
        }
        let lines = lines(state)
        #expect(lines[2].hasSuffix("btcinr is at or above its maximum of 7500000 INR"))
        #expect(lines[3].hasPrefix(String(repeating: " ", count: 32) + "since ten minutes"))
        #expect(lines[5].contains("FIRED"), "the next event follows")
        let shown = lines[2...4].map { $0.dropFirst(32) }.joined(separator: " ")
        #expect(shown.split(separator: " ").joined(separator: " ").hasPrefix(words))
    }

    @Test func aLongTextIsCutAtTheLastRow() {
        let state = state {
            $0.mode = .detail
            $0.data.events = [Sample.event]
            $0.data.events[0].text = String(repeating: "word ", count: 100)
        }
        #expect(lines(state, width: 80, height: 24).allSatisfy { columnWidth(of: $0) <= 80 })
        #expect(lines(state).contains { $0.hasSuffix("…") })
    }

    @Test func staleAndUnreachableAreInTheFirstLine() {
        var stale = state()
        stale.data.status?.sources[0].stale = true
        #expect(lines(stale)[0].hasSuffix("STALE: prices are 12s old"))
        stale.data.fault = "alertd is not running; waiting for it"
        #expect(lines(stale)[0].hasSuffix("⚠ alertd is not running; waiting for it"))
        stale.data.fault = String(repeating: "a long fault ", count: 10)
        #expect(lines(stale)[0].contains("⚠ a long fault a long") && lines(stale)[0].hasSuffix("…"))
    }

    @Test func aDaemonThatDoesNotRespondIsInTheFirstLine() throws {
        let run = Run(width: 60)
        run.daemon.errors[.status] = .timedOut(.seconds(2))
        var state = WatchState()
        WatchLoader(try Context(ParsedArgumentsFixture.empty, in: run.environment)).refresh(&state.data)
        #expect(lines(state, width: 60)[0].hasSuffix("⚠ alertd does not respond"))
    }

    /// The smallest screen has room for the alerts, but not for events; the last line belongs to the keys.
    @Test(arguments: 12...16)
    func eventsNeverReachTheKeys(height: Int) {
        let state = state {
            $0.mode = .detail
            $0.data.alerts = [Sample.alerts[1], Sample.alerts[1]]
            $0.data.events = [Sample.event]
            $0.data.events[0].text = String(repeating: "word ", count: 100)
        }
        let lines = lines(state, width: 60, height: height)
        #expect(lines[height - 1] == "? help  Esc list  1-5 range  Tab alert  l move limit")
        #expect(lines[height - 2].isEmpty)
        #expect(lines.contains { $0.contains("word") } == (height > 12))
    }

    @Test func eventsAreNamedAndWrittenAsInOtherPlaces() {
        let state = state {
            $0.mode = .events
            $0.data.events = [Sample.event]
            $0.data.events[0].kind = .feedRecovered
            $0.data.events[0].text = "“btc band” at ₹75,00,000"
        }
        #expect(lines(state)[2].hasSuffix(" feed recovered  “btc band” at ₹75,00,000"))
        #expect(lines(state, symbols: .ascii)[2].hasSuffix(" feed recovered  \"btc band\" at INR 75,00,000"))
    }

    @Test func keysChooseSortAndFilter() {
        var state = state()
        #expect(state.handle(.down).isEmpty && state.selected == "shibinr")
        _ = state.handle(.end)
        #expect(state.selected == "deadinr")
        _ = state.handle(.up)
        #expect(state.selected == "ethusdt")
        _ = state.handle(.character("s"))
        #expect(state.rows.map(\.symbol) == ["btcinr", "deadinr", "ethusdt", "shibinr"])
        _ = state.handle(.character("r"))
        #expect(state.rows.first?.symbol == "shibinr")
        _ = state.handle(.character("u"))
        #expect(state.quote == "inr" && state.rows.count == 3)
        _ = state.handle(.character("u"))
        #expect(state.rows.map(\.symbol) == ["ethusdt"])
        _ = state.handle(.escape)
        #expect(state.rows.count == 4)
        #expect(state.handle(.character("f")) == [.setFavourite(symbol: "ethusdt", isOn: true)])
        state.favourites = ["ethusdt"]
        _ = state.handle(.character("F"))
        #expect(state.rows.map(\.symbol) == ["ethusdt"])
    }

    @Test func searchFiltersWhileTyping() {
        var state = state()
        for character in "/bitc" { _ = state.handle(.character(character)) }
        #expect(state.rows.map(\.symbol) == ["btcinr"])
        // A key of the view is a letter here.
        _ = state.handle(.character("q"))
        #expect(state.rows.isEmpty && lines(state)[3].contains("No symbols match"))
        _ = state.handle(.backspace)
        _ = state.handle(.enter)
        #expect(state.prompt == .none && state.search == "bitc")
        #expect(state.handle(.character("q")) == [.quit])
    }

    @Test func aLimitIsMovedAndSetAfterAQuestion() throws {
        var state = state {
            $0.mode = .detail
            $0.alertIndex = 1
        }
        _ = state.handle(.character("l"))
        let moved = try #require(state.moved)
        #expect("\(moved.value)" == "7500000" && "\(moved.step)" == "5000")
        _ = state.handle(.up)
        _ = state.handle(.shiftUp)
        #expect(state.moved.map { "\($0.value)" } == "7555000")
        #expect(lines(state)[22].hasPrefix("max ₹75,55,000.00, 0.56% from the price, would never have fired in 24h"))
        #expect(state.handle(.enter).isEmpty)
        #expect(lines(state)[23].hasPrefix("Set the max of 'btc band' on btcinr to ₹75,55,000.00?"))
        let action = WatchAction.setLimit(rule: "btc band", symbol: "btcinr", isMax: true, value: "7555000")
        var refused = state
        #expect(refused.handle(.character("n")).isEmpty && refused.message?.text == "nothing was changed")
        #expect(state.handle(.character("y")) == [action])
        #expect(state.moved == nil)
    }

    @Test func escapeLeavesALimitAsItIs() {
        var state = state { $0.mode = .detail }
        _ = state.handle(.character("l"))
        _ = state.handle(.down)
        _ = state.handle(.escape)
        #expect(state.moved == nil && state.mode == .detail)
        _ = state.handle(.escape)
        #expect(state.mode == .list)
    }

    @Test func changesAskFirst() {
        for (key, action) in [
            ("z", WatchAction.silence(symbol: "btcinr", hours: 1)),
            ("a", .acknowledge(rule: "btc band", symbol: "btcinr")), ("A", .arm(rule: "btc band", symbol: "btcinr")),
        ] {
            var state = state { $0.mode = .detail }
            #expect(state.handle(.character(Character(key))).isEmpty)
            #expect(state.handle(.character("y")) == [action])
        }
    }

    @Test func firingsAreCounted() throws {
        let alert = Sample.alerts[1]
        var moved = try #require(MovedLimit(alert))
        moved.value = try Price("100")
        let prices = [90.0, 101, 100, 99.8, 102, 99.4, 105, 90]
        let bars = prices.enumerated().map { ChartBar(time: Int64($0.offset) * 1_000, price: $0.element) }
        // The alert clears 0.5% below its limit: 99.8 is not clear, 99.4 is.
        #expect(moved.firings(bars, factor: 1) == 2)
    }

    @Test func aLostDaemonIsNotTheEnd() throws {
        let run = Run(width: 80)
        let loader = WatchLoader(try Context(ParsedArgumentsFixture.empty, in: run.environment))
        var data = WatchData()
        loader.refresh(&data)
        #expect(data.fault == nil && data.symbols.count == 4)
        run.daemon.errors[.status] = .closed
        loader.refresh(&data)
        #expect(data.fault != nil && data.symbols.count == 4)
        run.daemon.errors[.status] = nil
        loader.refresh(&data)
        #expect(data.fault == nil)
    }

    /// A daemon that has just started has a chart, not an empty day with a line at its edge.
    @Test func aChartBeginsWithTheOldestPrice() throws {
        let run = chartRun(width: 80)
        var status = Sample.status
        status.history.oldest = WallTime(milliseconds: Sample.now.milliseconds - 3_600_000).description
        run.daemon.replies[.status] = StatusReply(status: status)
        let loader = WatchLoader(try Context(ParsedArgumentsFixture.empty, in: run.environment))
        var state = state { $0.mode = .detail }
        loader.refresh(&state.data, isForced: true)
        loader.readChart(&state)
        #expect(state.data.chart?.rangeText == "last 1h")
        state.rangeIndex = 0
        status.history.oldest = WallTime(milliseconds: Sample.now.milliseconds - 86_400_000).description
        run.daemon.replies[.status] = StatusReply(status: status)
        loader.refresh(&state.data, isForced: true)
        loader.readChart(&state)
        #expect(state.data.chart?.rangeText == "last 1h", "no longer than the range")
    }

    /// The same symbol of two sources is two rows, each with its own price, alert and state.
    @Test func severalSourcesAreDistinguished() throws {
        let run = Run(width: 100)
        var (status, other) = (Sample.status, Sample.feed)
        (other.source, other.stale) = ("kraken", true)
        status.sources = [Sample.feed, other]
        run.daemon.replies[.status] = StatusReply(status: status)
        var symbol = Sample.symbols[0]
        (symbol.source, symbol.last, symbol.firing) = ("kraken", "99", 0)
        run.daemon.replies[.listTickers] = ListTickersReply(
            simulated: false, source: "wazirx, kraken", received: Sample.received, stale: true,
            symbols: [Sample.symbols[0], symbol])
        let loader = WatchLoader(try Context(ParsedArgumentsFixture.empty, in: run.environment))
        var state = WatchState()
        loader.refresh(&state.data)
        #expect(state.data.symbols.map(\.symbol) == ["wazirx:btcinr", "kraken:btcinr"])
        #expect(state.data.nearest("wazirx:btcinr") != nil && state.data.nearest("kraken:btcinr") == nil)
        state.selected = "kraken:btcinr"
        let lines = lines(state, width: 100)
        #expect(lines[0].hasSuffix("STALE: prices of kraken are 12s old"))
        #expect(lines[2].contains("wazirx:btcinr") && lines[2].contains("FIRING"))
        #expect(lines[3].hasPrefix("▸ kraken:btcinr") && lines[3].contains("stale"), "\(lines[3])")
    }

    /// Alerts of the same symbol belong to the row of their own source.
    @Test func alertsAreThoseOfTheirSource() throws {
        let run = Run(width: 100)
        var (status, feed) = (Sample.status, Sample.feed)
        feed.source = "kraken"
        status.sources = [Sample.feed, feed]
        run.daemon.replies[.status] = StatusReply(status: status)
        var (symbol, alert) = (Sample.symbols[0], Sample.alerts[1])
        (symbol.source, symbol.firing) = ("kraken", 0)
        (alert.source, alert.state, alert.limit, alert.distancePercent) = ("kraken", .inactive, "9900000", "31.78")
        run.daemon.replies[.listTickers] = ListTickersReply(
            simulated: false, source: "wazirx, kraken", received: Sample.received, stale: false,
            symbols: [Sample.symbols[0], symbol])
        run.daemon.replies[.listAlerts] = ListAlertsReply(simulated: false, alerts: [Sample.alerts[1], alert])
        let loader = WatchLoader(try Context(ParsedArgumentsFixture.empty, in: run.environment))
        var state = WatchState()
        loader.refresh(&state.data)
        let rows = lines(state, width: 100)
        #expect(rows[2].contains("wazirx:btcinr") && rows[2].contains("₹75,00,000.00"), "\(rows[2])")
        #expect(rows[3].contains("kraken:btcinr") && rows[3].contains("₹99,00,000.00"), "\(rows[3])")
        state.selected = "kraken:btcinr"
        #expect(state.selectedAlerts.map(\.limit) == ["9900000"])
        #expect(rows[2].contains("FIRING") && !rows[3].contains("FIRING"))
    }

    /// Stale is what the source of a symbol is, not what some other source is.
    @Test func aStaleSourceLeavesTheSymbolsOfOthers() throws {
        var (status, feed) = (Sample.status, Sample.feed)
        (feed.source, feed.stale) = ("kraken", true)
        status.sources = [Sample.feed, feed]
        let state = state {
            $0.data.status = status
            $0.data.symbols[0].firing = 0
            $0.data.symbols[1].source = "kraken"
        }
        let rows = lines(state, width: 100)
        #expect(rows[2].contains("btcinr") && !rows[2].contains("stale"), "\(rows[2])")
        #expect(rows[3].contains("shibinr") && rows[3].contains("stale"), "\(rows[3])")
    }

    @Test func anUnchangedPollReadsTheStatusOnly() throws {
        let run = Run(width: 80)
        let loader = WatchLoader(try Context(ParsedArgumentsFixture.empty, in: run.environment))
        var data = WatchData()
        loader.refresh(&data)
        let before = run.daemon.asked.count
        loader.refresh(&data)
        #expect(run.daemon.asked.dropFirst(before) == [.status])
    }

    @Test func refusedChangesSaySo() throws {
        let run = Run(width: 80)
        let loader = WatchLoader(try Context(ParsedArgumentsFixture.empty, in: run.environment))
        run.daemon.errors[.addSilence] = .callDenied
        let result = loader.change(.silence(symbol: "btcinr", hours: 1))
        #expect(result.isFault && result.text.hasPrefix("not allowed"))
        run.daemon.errors[.addSilence] = .refused(Refused(message: "too many silences"))
        let refused = loader.change(.silence(symbol: "btcinr", hours: 1))
        #expect(refused.isFault && refused.text == "too many silences")
    }

    /// A quarter of what is left of the screen, at least two.
    @Test(arguments: [(24, 2), (29, 3), (30, 4), (33, 4), (34, 5), (100, 10)])
    func alertsHaveAShareOfTheScreen(height: Int, count: Int) {
        let state = state {
            $0.mode = .detail
            $0.data.events = []
            $0.data.alerts = (0..<10).map { number in
                var alert = Sample.alerts[1]
                alert.rule = "rule \(number)"
                return alert
            }
        }
        #expect(lines(state, height: height).count { $0.contains("rule ") } == count)
    }

    /// Like 'show', with the same exit code.
    @Test func anUnlistedSymbolIsRefusedWithASuggestion() {
        let run = Run()
        run.daemon.errors[.getSymbol] = .noSuchSymbol(NoSuchSymbol(symbol: "btc", suggestion: "btcinr"))
        #expect(run("watch btc") == 4)
        #expect(run.errors == "alertctl: there is no symbol 'btc'; did you mean btcinr?\n")
    }

    @Test func theNearestLimitIsNextToThePrice() throws {
        var far = Sample.alerts[1]
        (far.distancePercent, far.limit) = ("-90", "4000000")
        var near = Sample.alerts[1]
        (near.state, near.distancePercent, near.limit) = (.inactive, "0.50", "7550000")
        var data = WatchData()
        data.alerts = [far, near]
        #expect(data.nearest("btcinr")?.alert.limit == "7550000")
        near.distancePercent = "90"
        data.alerts = [near, far]
        #expect(data.nearest("btcinr")?.alert.limit == "4000000", "of equals the one that fires")
    }

    @Test func withoutATerminalTheCommandSaysWhatToUse() {
        let run = Run()
        #expect(run("watch") == 2)
        #expect(run.errors.contains("needs a terminal"))
    }
}

struct FavouritesTests {
    @Test func favouritesAreKeptAndListed() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "home-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func run(_ line: String, error: ClientError? = nil) -> Run {
            let run = Run(width: 80)
            run.daemon.errors[.getSymbol] = error
            run.environment.userFolder = folder.appending(path: ".config/alertctl").path
            run(line)
            return run
        }
        #expect(run("favourites").output.contains("No favourites"))
        #expect(run("list --favourites").output.contains("'alertctl favourites add SYMBOL' adds one."))
        #expect(run("favourites add BTCINR ethusdt btcinr").errors.isEmpty)
        #expect(run("favourites --plain").output == "btcinr\nethusdt\n")
        #expect(run("list --favourites --plain").output.split(separator: "\n").count == 2)
        #expect(run("favourites remove btcinr").errors.isEmpty)
        #expect(run("favourites remove btcinr").errors == "alertctl: 'btcinr' is not among your favourites\n")
        #expect(run("favourites --plain").output == "ethusdt\n")
        var state = WatchState()
        let other = run("favourites add wrxinr")
        WatchLoader(try Context(ParsedArgumentsFixture.empty, in: other.environment))
            .setFavourite("btcinr", isOn: true, &state)
        #expect(other.errors.isEmpty)
        #expect(state.favourites == ["btcinr", "ethusdt", "wrxinr"], "what another command added stays")
        #expect(run("favourites --plain").output == "ethusdt\nwrxinr\nbtcinr\n")
        _ = run("favourites remove wrxinr btcinr")
        let unlisted = run(
            "favourites add btcin", error: .noSuchSymbol(NoSuchSymbol(symbol: "btcin", suggestion: "btcinr")))
        #expect(unlisted.output.isEmpty)
        #expect(unlisted.errors == "alertctl: there is no symbol 'btcin'; did you mean btcinr?\n")
        #expect(run("favourites --plain").output == "ethusdt\n", "nothing was added")
        #expect(run("favourites add btcin", error: .closed).errors.isEmpty, "without an answer, nobody knows")
        #expect(run("favourites add no/symbol").errors.contains("is not a symbol"))
    }
}
