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

/// The converter of the live view.
struct WatchConverterTests {
    private func state(_ change: (inout WatchState) -> Void = { _ in }) -> WatchState {
        var state = WatchState()
        state.data.status = Sample.status
        state.data.symbols = Sample.symbols
        state.data.alerts = Sample.alerts
        state.data.events = [Sample.resolved, Sample.event]
        state.selected = "btcinr"
        change(&state)
        _ = state.handle(.character("x"))
        return state
    }

    private func lines(_ state: WatchState, width: Int = 80, height: Int = 24) -> [String] {
        WatchScreen.draw(state, Run(width: width).formatter, .braille, width: width, height: height).plainLines
    }

    private func type(_ text: String, _ state: inout WatchState) {
        for character in text { _ = state.handle(.character(character)) }
    }

    private func loader(_ run: Run) throws -> WatchLoader {
        WatchLoader(try Context(ParsedArgumentsFixture.empty, in: run.environment))
    }

    private func calls(_ run: Run) -> [ConvertParameters] {
        run.daemon.parameters.compactMap { $0 as? ConvertParameters }
    }

    @Test func itBeginsWithThePriceOfTheSymbol() throws {
        let symbol = try #require(Sample.symbols.first { $0.symbol == "btcinr" })
        let converter = try #require(state().converter)
        #expect(converter.text(.amount) == symbol.last)
        #expect(converter.text(.from) == "INR" && converter.text(.to) == "USD")
        let shown = try #require(
            state { $0.data.display = PriceDisplay(in: Currency("SEK"), by: .none, hasUnicode: true) }.converter)
        #expect(shown.text(.to) == "SEK", "to the currency that prices are shown in")
        let none = try #require(state { $0.selected = nil }.converter)
        #expect(none.text(.amount) == "1" && none.text(.from) == "USD" && none.text(.to) == "EUR")
    }

    @Test func whatIsTypedReplacesWhatWasThereAndFieldsFollowEachOther() {
        var state = state()
        type("1 000,50", &state)
        #expect(state.converter?.text(.amount) == "1 000,50")
        _ = state.handle(.backspace)
        #expect(state.converter?.text(.amount) == "1 000,5")
        _ = state.handle(.tab)
        type("sek", &state)
        _ = state.handle(.tab)
        _ = state.handle(.end)
        type(" EUR", &state)
        #expect(state.converter?.text(.from) == "sek" && state.converter?.targets == ["USD", "EUR"])
        _ = state.handle(.tab)
        _ = state.handle(.backTab)
        _ = state.handle(.control("u"))
        #expect(state.converter?.text(.to) == "" && state.converter?.field == .to)
        // Keys of the view are letters here, and it cannot be left by one.
        type("qcem?", &state)
        #expect(state.converter?.text(.to) == "qcem?" && state.mode == .list && !state.hasMouse)
        #expect(state.handle(.escape).isEmpty && state.converter == nil)
        #expect(state.handle(.character("q")) == [.quit])
    }

    @Test func aTextHasALimit() {
        var state = state()
        type(String(repeating: "1", count: 500), &state)
        #expect(state.converter?.text(.amount).count == 40)
    }

    /// A call is made once, a quarter of a second after the last key.
    @Test func itConvertsAfterAPause() throws {
        var converter = try #require(state().converter)
        let start = Sample.now
        let after = { (length: Int64) in WallTime(milliseconds: start.milliseconds + length) }
        #expect(converter.remaining(at: start) == .zero, "at once when it is opened")
        converter.finish(.results([Sample.conversion]))
        #expect(converter.remaining(at: start) == nil)
        converter.handle(.character("5"))
        converter.setEditTime(start)
        #expect(converter.outcome == .none, "no old result below a new amount")
        #expect(converter.remaining(at: start) == Milliseconds(250))
        #expect(converter.remaining(at: after(249)) == Milliseconds(1))
        converter.handle(.character("6"))
        converter.setEditTime(after(200))
        #expect(converter.remaining(at: after(260)) == Milliseconds(190))
        // A key that changes nothing does not put it off.
        converter.handle(.tab)
        converter.setEditTime(after(440))
        #expect(converter.remaining(at: after(450)) == .zero)
        #expect(converter.remaining(at: after(-5_000)) == .zero, "the clock was set back")
    }

    @Test func itConvertsWhatIsInTheFields() throws {
        let run = Run(width: 80)
        let loader = try loader(run)
        var state = state()
        type("1 000,50", &state)
        _ = state.handle(.tab)
        type("sek", &state)
        _ = state.handle(.tab)
        type("inr usd", &state)
        loader.convert(&state)
        #expect(
            calls(run) == ["INR", "USD"].map { ConvertParameters(amount: "1000.50", from: "SEK", to: $0) })
        #expect(state.converter?.outcome == .results([Sample.conversion, Sample.conversion]))
        #expect(state.converter?.remaining(at: Sample.now) == nil)
    }

    @Test func aFaultOfTheFieldsIsShownAndTheConnectionStays() throws {
        let run = Run(width: 80)
        let loader = try loader(run)
        var state = state()
        type("12abc", &state)
        loader.convert(&state)
        #expect(calls(run).isEmpty && state.data.fault == nil)
        #expect(lines(state)[20].hasPrefix(" '12abc' is not an amount; write it like"))
        run.daemon.errors[.convert] = .unconvertible(Unconvertible(message: "no exchange rate for XYZ"))
        _ = state.handle(.control("u"))
        type("1", &state)
        loader.convert(&state)
        #expect(lines(state)[20].hasPrefix(" no exchange rate for XYZ"))
        #expect(state.data.fault == nil)
    }

    /// While the daemon is gone, no result is shown; once it is back, the fields are converted again.
    @Test func withoutADaemonThereIsNoResult() throws {
        let run = Run(width: 80)
        let loader = try loader(run)
        var state = state()
        loader.convert(&state)
        #expect(lines(state)[20].contains("≈"))
        state.converter?.update(isNew: false, fault: "alertd is not running; waiting for it")
        #expect(lines(state)[20] == " alertd is not running; waiting for it")
        state.converter?.update(isNew: false, fault: nil)
        #expect(state.converter?.remaining(at: Sample.now) == .zero)
        run.daemon.errors[.convert] = .closed
        loader.convert(&state)
        #expect(state.data.fault != nil && !lines(state)[20].contains("≈"))
        run.daemon.errors[.convert] = nil
        state.converter?.update(isNew: false, fault: nil)
        loader.convert(&state)
        #expect(lines(state)[20].contains("≈"))
        state.converter?.update(isNew: false, fault: nil)
        #expect(state.converter?.remaining(at: Sample.now) == nil, "nothing is new")
        state.converter?.update(isNew: true, fault: nil)
        #expect(state.converter?.remaining(at: Sample.now) == .zero, "prices are new")
    }

    @Test func enterKeepsWhatIsInTheFields() throws {
        let run = Run(width: 80)
        let folder = FileManager.default.temporaryDirectory.appending(path: "watch-\(UInt64.random(in: 0 ... .max))")
        run.environment.userFolder = folder.path
        defer { try? FileManager.default.removeItem(at: folder) }
        let loader = try loader(run)
        var state = state()
        type("1000", &state)
        #expect(state.handle(.enter) == [.keepConversion])
        loader.keepConversion(&state)
        #expect(calls(run).map(\.amount) == ["1000"], "it is converted first")
        #expect(try KeptConversions(run.environment).conversions.map(\.result) == [Sample.conversion.result])
        #expect(lines(state)[23].hasPrefix("kept; 'alertctl convert --history' lists it"))
        _ = state.handle(.control("u"))
        loader.keepConversion(&state)
        #expect(try KeptConversions(run.environment).conversions.count == 1, "nothing to keep")
        run.environment.userFolder = nil
        type("5", &state)
        let other = try self.loader(run)
        other.keepConversion(&state)
        #expect(lines(state)[23].hasPrefix("there is no home folder"))
    }

    @Test(arguments: [(60, 12), (80, 24), (120, 40), (300, 100)])
    func itFitsTheScreenInEachMode(width: Int, height: Int) throws {
        let run = Run(width: width)
        let loader = try loader(run)
        for mode in [WatchState.Mode.list, .detail, .events] {
            var state = state { $0.mode = mode }
            loader.convert(&state)
            let lines = lines(state, width: width, height: height)
            #expect(lines.allSatisfy { columnWidth(of: $0) <= width })
            #expect(lines[height - 6].hasPrefix("── Convert ──"), "\(lines)")
            #expect(lines[height - 5].hasPrefix(" Amount 75"), "\(lines)")
            #expect(lines[height - 4].contains("≈") && lines[height - 1].hasPrefix("Tab next field"))
        }
    }

    @Test func severalResultsAndStaleRatesAreShown() throws {
        var state = state()
        var stale = Sample.conversion
        stale.stale = true
        state.converter?.finish(.results([stale]))
        #expect(lines(state)[20].contains("≈ ₹10,011.66! STALE rates of 2026-11-20".replacing("! ", with: "!  ")))
        state.converter?.finish(.results(Array(repeating: Sample.conversion, count: 5)))
        #expect(lines(state)[20...22].allSatisfy { $0.contains("₹10,011.66") })
        #expect(lines(state)[22].hasSuffix("and 2 more"))
    }

    @Test func itIsInTheHelpAndTheKeys() {
        var state = state()
        _ = state.handle(.escape)
        #expect(lines(state)[23].contains("x convert"))
        _ = state.handle(.character("?"))
        #expect(lines(state).contains { $0.hasPrefix("  x ") && $0.contains("convert an amount") })
        // Any key leaves the help, and only that.
        _ = state.handle(.character("x"))
        #expect(state.converter == nil && state.mode == .list)
    }
}
