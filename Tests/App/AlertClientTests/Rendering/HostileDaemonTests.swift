import Control
import JSON
import Testing
import Time

@testable import AlertClient

/// Answers every call with a usual reply in which each text or each number is a hostile one.
private final class HostileDaemon: ControlConnection {
    private let text: String?
    private let number: String?

    init(text: String? = nil, number: String? = nil) {
        (self.text, self.number) = (text, number)
    }

    private static let alert = AlertExplanation(
        alert: Sample.alerts[1], priceTime: Sample.received,
        facts: [
            AlertFact(kind: .firing, since: Sample.received, until: Sample.received, detail: "x", by: "y"),
            AlertFact(kind: .pending, heldMilliseconds: 1, holdMilliseconds: 2),
            AlertFact(kind: .silenced, until: Sample.received, detail: "x", number: 1, by: "y"),
        ],
        levels: [
            AlertLevel(role: .limit, comparison: .atLeast, price: "1", reached: true, away: "1", awayPercent: "1")
        ],
        windowMilliseconds: 1, lowest: "1", highest: "2",
        conversion: ConversionRecord(rate: "1", date: "2026-11-20", source: "x", path: "INR>SEK"))

    private static let override = OverrideStatus(
        rule: "r", source: "wazirx", symbol: "btcinr", bound: .max, limit: "1", settingsLimit: "2", currency: "INR",
        by: "x", user: 0,
        since: Sample.received, state: .inEffect)

    private func sample(of method: ControlInterface.Method) -> (any JSONWritable)? {
        switch method {
        case .explain:
            ExplainReply(
                simulated: false,
                rule: RuleStatus(
                    name: "r", source: "wazirx", symbols: ["x"], condition: "c",
                    conditionText: "c", severity: .warning, matches: 1, firing: 1, limits: [],
                    state: .impaired, problems: [SymbolProblem(state: .frozen, symbols: 1)]),
                alerts: [Self.alert])
        case .setLimit:
            SetLimitReply(
                simulated: false, changes: [LimitChangeStatus(override: Self.override, before: "3")], saved: false)
        case .listOverrides: ListOverridesReply(overrides: [Self.override])
        case .resetLimits: ResetLimitsReply(reset: [Self.override], saved: false)
        case .exportPrices:
            ExportPricesReply(
                simulated: false, source: "x", rows: [PriceRow(time: Sample.received, symbols: ["x"], prices: ["1"])])
        case .addSilence: AddSilenceReply(silence: Sample.silence, note: "it matches nothing", saved: false)
        case .listEvents:
            ListEventsReply(simulated: false, source: "x", events: [Sample.event], more: false)
        default: Sample.replies[method]
        }
    }

    func call<Reply: JSONReadable>(
        _ method: ControlInterface.Method, _ parameters: some JSONWritable, returning: Reply.Type,
        meanwhile work: () -> Void
    ) throws(ClientError) -> Reply {
        work()
        guard let sample = sample(of: method) else { throw .remote(name: text ?? "x") }
        let changed = Self.changed(JSONWriter.text(of: sample), text: text, number: number)
        do {
            return try Reply(json: JSONDocument(changed, limit: 1 << 20).root)
        } catch {
            throw .malformed("\(error)")
        }
    }

    func stream<Reply: JSONReadable>(
        _ method: ControlInterface.Method, _ parameters: some JSONWritable, returning: Reply.Type,
        within limit: Milliseconds?, each: (Reply) -> Bool
    ) throws(ClientError) {
        let sample = MonitorEventsReply(event: Sample.event, missed: 1)
        let changed = Self.changed(JSONWriter.text(of: sample), text: text, number: number)
        if let document = try? JSONDocument(changed, limit: 1 << 20), let reply = try? Reply(json: document.root) {
            _ = each(reply)
        }
        throw .refused(Refused(message: text ?? "x"))
    }

    /// The JSON with its texts or numbers replaced; keys stay.
    private static func changed(_ json: [UInt8], text: String?, number: String?) -> [UInt8] {
        var result: [UInt8] = []
        var rest = json[...]
        while let byte = rest.first {
            if byte == 0x22 {
                let length = stringLength(rest)
                let isKey = rest.dropFirst(length).first == 0x3A
                result += isKey || text == nil ? Array(rest.prefix(length)) : JSONWriter.text(of: text ?? "")
                rest = rest.dropFirst(length)
            } else if byte == 0x2D || byte &- 0x30 < 10 {
                let digits = rest.prefix { $0 == 0x2D || $0 &- 0x30 < 10 }
                result += number.map { Array($0.utf8) } ?? Array(digits)
                rest = rest.dropFirst(digits.count)
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    private static func stringLength(_ text: ArraySlice<UInt8>) -> Int {
        var length = 1
        var isEscaped = false
        for byte in text.dropFirst() {
            length += 1
            if isEscaped { isEscaped = false } else if byte == 0x5C { isEscaped = true } else if byte == 0x22 { break }
        }
        return length
    }
}

/// A daemon that is not ours may answer anything; nothing of it may act on the terminal or crash the program.
@Suite(.timeLimit(.minutes(10)))
struct HostileDaemonTests {
    private static let lines = [
        "", "status", "list", "list --sort last", "show btcinr", "alerts", "alerts --all", "rules", "history btcinr",
        "history btcinr --step none", "events", "why 1", "explain r", "explain r btcinr", "limit btcinr", "limit list",
        "limit btcinr --max 5", "limit reset btcinr", "silence list --all", "silence add --rule r --for 1h",
        "silence expire 1", "ack 1", "arm r", "drill", "rates", "convert 1 SEK INR", "reload", "poll", "export",
        "export events", "tail", "version", "__complete show ", "__complete tail --rule ", "__complete convert 1 ",
    ]
    private static let formats = ["", " --json", " --plain", " --csv", " --color always", " --currency SEK"]

    private func output(_ line: String, _ daemon: HostileDaemon) -> String {
        var output = ""
        let run = Run(width: 80)
        run.environment.write = { output += $0 }
        run.environment.warn = { output += $0 }
        run.environment.connect = { _ throws(ClientError) in daemon }
        run(line.split(separator: " ", omittingEmptySubsequences: line.hasPrefix("__") == false).map(String.init))
        return output
    }

    @Test(arguments: formats) func noTextActsOnTheTerminal(format: String) {
        let hostile = "x\u{1B}]0;y\u{7}\u{9B}31m\r\n\t\u{202E}\u{2066}\u{7F}\u{2028}y"
        let daemon = HostileDaemon(text: hostile)
        for line in Self.lines {
            var text = output(line + format, daemon)
            // Colours are ours.
            for code in ["34", "38;5;208", "1;38;5;208", "2", "1", "0"] {
                text = text.replacing("\u{1B}[\(code)m", with: "")
            }
            for scalar in text.unicodeScalars where scalar != "\n" && scalar != "\t" {
                let isHarmless =
                    scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
                    && ![.format, .lineSeparator, .control].contains(scalar.properties.generalCategory)
                #expect(isHarmless, "\(line)\(format): \(scalar.value)")
            }
            // A text with a line end in it makes no line of its own.
            #expect(!text.split(separator: "\n").contains { $0.hasPrefix("y") }, "\(line)\(format)")
        }
    }

    @Test(arguments: ["9223372036854775807", "-9223372036854775808", "-1", "0"])
    func noNumberStopsTheProgram(number: String) {
        let daemon = HostileDaemon(number: number)
        for line in Self.lines {
            for format in ["", " --json"] { #expect(!output(line + format, daemon).isEmpty, "\(line)") }
        }
    }

    @Test func aTextIsNoFormula() {
        let daemon = HostileDaemon(text: "=1+2")
        for line in ["rules", "alerts", "events", "silence list --all", "export events --format"] {
            let text = output(line + (line.hasSuffix("--format") ? " csv" : " --csv"), daemon)
            for field in text.split(separator: "\n").flatMap(fields) {
                #expect(!field.hasPrefix("="), "\(line): \(field)")
            }
        }
    }

    /// The fields of a line of CSV, without their quotes.
    private func fields(of line: Substring) -> [String] {
        // What is between two quotes has an odd place.
        let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
        let joined = parts.enumerated().map { index, part in
            index % 2 == 0 ? String(part).replacing(",", with: "\n") : String(part)
        }.joined()
        return joined.split(separator: "\n").map(String.init)
    }

    @Test(arguments: [
        ("=1", "'=1"), ("@SUM(1)", "'@SUM(1)"), ("+A1", "'+A1"), ("-A1", "'-A1"), ("-5%", "-5%"), ("+2.5", "+2.5"),
        ("-", "-"), ("btc band", "btc band"), ("", ""),
    ])
    func whatASpreadsheetWouldCompute(text: String, expected: String) {
        #expect(csvText(of: .text(text)) == expected)
    }
}
