import Configuration
import Diagnostics
import Events
import Market
import Rules
import Testing
import Time

@Suite struct CheckReaderTests {
    private static let sources = """
        [[source]]
        type = "wazirx"
        [[source]]
        type = "binance"
        symbols = ["btc*"]

        """

    private static func load(_ text: String) throws -> LoadedSettings {
        try SettingsLoader(files: MemoryFiles(["a.toml": sources + text])).load("a.toml")
    }

    @Test func aCheckIsRead() throws {
        let settings = try Self.load(
            """
            [[check]]
            symbols = ["btcinr", "binance:btcusdt"]
            within = "8%"
            [[check]]
            name = "strict"
            symbols = ["wazirx:btcusdt", "binance:btcusdt"]
            within = "0.5%"
            for = "10m"
            severity = "critical"
            """
        ).settings
        #expect(settings.checks.map(\.name) == ["wazirx:btcinr binance:btcusdt", "strict"])
        #expect(settings.checks.map(\.within.description) == ["8", "0.5"])
        #expect(settings.checks.map(\.hold) == [.zero, .seconds(600)])
        #expect(settings.checks.map(\.severity) == [.warning, .critical])
        #expect("\(settings.checks[0].first)" == "wazirx:btcinr" && "\(settings.checks[0].second)" == "binance:btcusdt")
    }

    @Test(
        arguments: [
            ("within = \"8%\"", "the check has no `symbols`"),
            ("symbols = [\"btcinr\", \"binance:btcusdt\"]", "the check has no `within`"),
            ("symbols = [\"btcinr\"]\nwithin = \"8%\"", "a check compares two markets, but `symbols` has 1"),
            ("symbols = [\"btcinr\", \"wazirx:btcinr\"]\nwithin = \"8%\"", "compares wazirx:btcinr with itself"),
            ("symbols = [\"btcinr\", \"kraken:btcusd\"]\nwithin = \"8%\"", "there is no source \"kraken\""),
            ("symbols = [\"btc*\", \"binance:btcusdt\"]\nwithin = \"8%\"", "\"btc*\" is not a symbol"),
            ("symbols = [\"btcinr\", \"binance:ethusdt\"]\nwithin = \"8%\"", "leaves out ethusdt"),
            ("symbols = [\"btcinr\", \"binance:btcusdt\"]\nwithin = \"8\"", "is not a percentage above 0"),
            ("symbols = [\"btcinr\", \"binance:btcusdt\"]\nwithin = \"0%\"", "is not a percentage above 0"),
            ("symbols = [\"btcinr\", \"binance:btcusdt\"]\nwithin = \"8%\"\nwithn = 1", "withn"),
        ])
    func whatIsWrongIsSaid(text: String, expected: String) throws {
        let error = #expect(throws: SettingsError.self) { _ = try Self.load("[[check]]\n\(text)\n") }
        let messages = error?.findings.map(\.message) ?? []
        #expect(messages.contains { $0.contains(expected) }, "\(messages)")
    }

    @Test func aNameIsUnique() throws {
        let check = "[[check]]\nname = \"c\"\nsymbols = [\"btcinr\", \"binance:btcusdt\"]\nwithin = \"8%\"\n"
        let error = #expect(throws: SettingsError.self) { _ = try Self.load(check + check) }
        #expect(error?.findings.contains { $0.message.contains("already exists") } == true)
    }
}
