import Configuration
import Diagnostics
import Events
import Foundation
import Market
import PriceSources
import Receivers
import Rules
import Testing
import Time

@Suite struct GoodSettingsTests {
    private func loadFile(_ name: String) throws -> LoadedSettings {
        let bytes = [UInt8](try Data(contentsOf: dataFolder.appending(path: "good/\(name)")))
        var files = MemoryFiles()
        files.files[name] = bytes
        files.files["/usr/share/zoneinfo/Test/Zone"] = timeZone
        return try SettingsLoader(files: files).load(name)
    }

    @Test func everyKeyIsRead() throws {
        let settings = try loadFile("everything.toml").settings
        var feed = FeedSettings()
        (feed.name, feed.source) = (SourceName(unchecked: "simulator"), .simulator)
        feed.url = "https://prices.example.com/v1"
        feed.interval = .seconds(1)
        feed.givenMaximumGap = .seconds(1)
        feed.frozenAfter = .seconds(86_400)
        feed.catchesUp = false
        feed.authorityFile = "/etc/ssl/own.pem"
        feed.allowsPlainHTTP = true
        feed.simulatorSeed = 9_223_372_036_854_775_807
        #expect(settings.feed == feed)
        #expect(settings.rates.isEnabled)
        #expect(settings.rates.url == "https://rates.example.com/eurofxref-daily.xml")
        #expect(settings.rates.authorityFile == "/etc/ssl/rates.pem")
        #expect(settings.display.currency == Currency("SEK"))
        #expect(settings.display.tetherCountsAs == nil)
        #expect(settings.history.keep == .seconds(5_400))
        #expect(settings.history.memoryBytes == 1_073_741_824)
        #expect(settings.events.keep == .seconds(30 * 86_400))
        #expect(settings.events.count == 5_000)
        #expect(!settings.sinks.journal)
        #expect(!settings.sinks.stdout)
        #expect(settings.sinks.eventReaders == 10_000)
    }

    @Test func receiversAreRead() throws {
        let settings = try loadFile("receivers.toml").settings
        var phone = Receiver(name: "phone", kind: .ntfy, urls: ["https://ntfy.example.org/my-topic"])
        phone.credential = "phone-token"
        phone.filter.severity = .warning
        phone.filter.rules = ["btc band"]
        phone.filter.symbols = [SymbolPattern("btc*")].compactMap(\.self)
        phone.filter.kinds = [.fired, .resolved]
        phone.group = .seconds(10)
        phone.quiet = QuietHours("23:00-07:00 mon-fri Test/Zone")
        phone.perMinute = 5
        phone.maximumAge = .seconds(3_600)
        phone.title = try MessageTemplate("{symbol} {kind}")
        phone.message = try MessageTemplate("{price} {currency}")
        phone.messageRepeated = try MessageTemplate("still {price}")
        phone.messageResolved = try MessageTemplate("back at {price}")
        #expect(settings.receivers.first == phone)
        #expect(settings.receivers.map(\.name) == ["phone", "pair", "chat", "mail", "bus", "group", "push"])
        #expect(settings.receivers[5].value(.thread) == "42")
        #expect(settings.receivers[5].filter.kinds == Set(EventKind.allCases))
        #expect(settings.receivers[6].kind == .gotify && settings.receivers[6].filter.kinds == nil)
        #expect(try settings.rules.map(\.messageRepeated) == [MessageTemplate("{symbol} is still there"), nil])
        #expect(try settings.rules.map(\.messageResolved) == [MessageTemplate("{symbol} is back"), nil])
        #expect(settings.receivers[4].urls.count == 2 && settings.receivers[4].value(.subject) == "home.alerts")
        #expect(settings.receivers[1].urls.count == 2 && settings.receivers[1].perMinute == nil)
        #expect(settings.receivers[2].urlCredential == "slack-url" && settings.receivers[2].urls.isEmpty)
        #expect(settings.receivers[3].values[.to] == ["me@example.org"])
        #expect(settings.rules.map(\.receivers) == [["phone", "mail"], []])
    }

    @Test func rulesMayDependOnRulesOfOtherFiles() throws {
        var files = MemoryFiles()
        files.files["a.toml"] = Array(
            """
            [[rule]]
            symbol = "btcinr"
            min = 5
            keep_firing_for = "10m"
            only_while = "ethinr move"
            """.utf8)
        files.files["rules.d/b.toml"] = Array("[[rule]]\nsymbol = \"ethinr\"\nmove = \"5%\"\nwindow = \"1h\"\n".utf8)
        let rules = try SettingsLoader(files: files).load("a.toml").settings.rules
        #expect(rules.map(\.notification.onlyWhile) == ["ethinr move", nil])
        #expect(rules.map(\.keepFiring) == [.seconds(600), .zero])
    }

    @Test(arguments: [
        ("", true), ("[feed]\nsource = \"simulator\"", true), ("[rates]\nenabled = false", false),
        ("[rates]\nenabled = true\n[feed]\nsource = \"simulator\"", true),
    ])
    func thereAreRatesUnlessTheyAreTurnedOff(text: String, isEnabled: Bool) throws {
        var files = MemoryFiles()
        files.files["a.toml"] = Array(text.utf8)
        #expect(try SettingsLoader(files: files).load("a.toml").settings.rates.isEnabled == isEnabled)
    }

    @Test(
        arguments: [
            ("", "USD", "USD"), ("currency = \"quote\"", nil, "USD"),
            ("currency = \"Quote\"\nusdt_as = \"eur\"", nil, "EUR"),
            ("usdt_as = \"none\"", "USD", nil),
        ] as [(String, String?, String?)])
    func displayIsInDollarsUnlessSomethingElseIsSaid(text: String, currency: String?, tether: String?) throws {
        var files = MemoryFiles()
        files.files["a.toml"] = Array("[display]\n\(text)".utf8)
        let display = try SettingsLoader(files: files).load("a.toml").settings.display
        #expect(display.currency?.description == currency)
        #expect(display.tetherCountsAs?.description == tether)
    }

    @Test(arguments: [
        ("btcinr", "SEK", "USD", false), ("btcinr", "USDT", "USD", false), ("btcusdt", "USDT", "none", false),
        ("btcinr", "USDT", "none", true), ("*", "WRX", "USD", false), ("*wrx", "WRX", "USD", false),
        ("btcinr", "WRX", "USD", true), ("btcinr", "XYZ", "USD", true), ("btcusdt", "AED", "AED", false),
    ])
    func aCurrencyThatNoPriceCanBeConvertedToIsNoticed(
        symbol: String, currency: String, tether: String, isNoticed: Bool
    ) throws {
        var files = MemoryFiles()
        files.files["a.toml"] = Array(
            """
            [display]
            usdt_as = "\(tether)"
            [[rule]]
            symbol = "\(symbol)"
            max = 5
            currency = "\(currency)"
            """.utf8)
        let warnings = try SettingsLoader(files: files).load("a.toml").warnings
        #expect(warnings.map(\.position?.line) == (isNoticed ? [6] : []))
    }

    /// The settings' own check says it; a comparison with the market does not say it again.
    @Test func aMistypedCurrencyIsOneWarning() throws {
        var files = MemoryFiles()
        files.files["a.toml"] = Array("[[rule]]\nsymbol = \"btcinr\"\nmax = 5\ncurrency = \"EURO\"\n".utf8)
        let loaded = try SettingsLoader(files: files).load("a.toml")
        #expect(loaded.warnings.map(\.advice) == ["did you mean EUR (Euro)?"])
        let market = MarketFacts(symbols: [
            try #require(Symbol("btcinr")): MarketFacts.SymbolFacts(quote: Currency("INR"), last: try Price("7"))
        ]) { _, _, _ in nil }
        #expect(RuleLint(loaded.settings.rules, loaded.ruleSources).findings(in: market).isEmpty)
        #expect(RuleLint(loaded.settings.rules, loaded.ruleSources).blockers(in: market).isEmpty)
    }

    /// Settings with one rule of these lines.
    private func rule(_ lines: String, display: String = "USD") throws -> Rule {
        var files = MemoryFiles()
        let text = "[display]\ncurrency = \"\(display)\"\n[[rule]]\nsymbol = \"btcinr\"\n" + lines
        files.files["a.toml"] = Array(text.utf8)
        return try #require(try SettingsLoader(files: files).load("a.toml").settings.rules.first)
    }

    /// The findings about a rule of these lines, each with its line from the first of them on.
    private func findings(_ lines: String) -> [String] {
        do throws(SettingsError) {
            var files = MemoryFiles()
            files.files["a.toml"] = Array(("[[rule]]\nsymbol = \"btcinr\"\n" + lines).utf8)
            return try SettingsLoader(files: files).load("a.toml").warnings.map(\.message)
        } catch {
            return error.findings.map { "\(($0.position?.line ?? 0) - 2): \($0.message); \($0.advice ?? "")" }
        }
    }

    @Test(arguments: [
        ("max = \"160500 SEK\"", "currency = \"SEK\"\nmax = 160500", "USD"),
        ("min = \"12 000 kr\"", "currency = \"SEK\"\nmin = 12000", "SEK"),
        ("min = \"12000,50 kr\"\ncurrency = \"NOK\"", "currency = \"NOK\"\nmin = \"12000.5\"", "SEK"),
        ("max = \"₹75,00,000\"", "currency = \"INR\"\nmax = 7500000", "USD"),
        ("within = [\"$1,234,567\", \"2,345,678 USD\"]", "currency = \"USD\"\nwithin = [1234567, 2345678]", "SEK"),
        (
            "max = \"100 SEK\"\nhysteresis = \"5 SEK\"", "currency = \"SEK\"\nmax = 100\nhysteresis = 5", "USD"
        ),
        ("fall = \"5000 SEK\"\nwindow = \"15m\"", "currency = \"SEK\"\nfall = 5000\nwindow = \"15m\"", "USD"),
    ])
    func anAmountMayNameItsCurrency(written: String, plain: String, display: String) throws {
        let (left, right) = (try rule(written, display: display), try rule(plain, display: display))
        #expect(left.meaning == right.meaning && left.currency == right.currency && left.currency != nil)
        #expect(left.condition == right.condition)
    }

    @Test(arguments: [
        ("max = \"100 SEK\"\nmin = \"5 EUR\"", "1: `max` is in SEK, but `min` is in EUR"),
        ("max = \"100 SEK\"\ncurrency = \"INR\"", "1: `max` is in SEK, but `currency` is INR"),
        ("max = \"100 SKE\"", "1: `max` is in SKE, which is not a known currency; did you mean SEK (Swedish krona)?"),
        ("max = \"1,000 SEK\"", "1: `max` is \"1,000 SEK\", which could be two amounts; write 1000 or 1"),
        ("max = \"12000 kr\"", "several currencies are written like that; write the code: DKK, ISK, NOK, SEK"),
        ("max = \"lots\"", "1: `max` is \"lots\", which is not an amount"),
        ("max = \"99999999999999999999 SEK\"", "which cannot be stored exactly"),
    ])
    func whyAnAmountIsRefused(lines: String, text: String) {
        let findings = findings(lines)
        #expect(findings.contains { $0.contains(text) }, "\(findings)")
        #expect(findings.count == 1, "\(findings)")
    }

    @Test func aRuleFileWithAnotherEndingIsNoticed() throws {
        var files = MemoryFiles()
        files.files["etc/alertd.toml"] = Array("[[rule]]\nsymbol = \"a\"\nmax = 1\n".utf8)
        for name in ["x.conf", "X.TOML", "b.toml~", ".x.conf", "README.txt", "c.toml.bak"] {
            files.files["etc/rules.d/\(name)"] = Array("rubbish".utf8)
        }
        let loaded = try SettingsLoader(files: files).load("etc/alertd.toml")
        #expect(loaded.warnings.map(\.position?.file) == ["etc/rules.d/X.TOML", "etc/rules.d/x.conf"])
        #expect(loaded.warnings.allSatisfy { $0.message == "is ignored: only files that end in .toml are read" })
        // The whole file is meant.
        #expect(loaded.warnings.allSatisfy { $0.position?.line == 0 && $0.position?.column == 0 })
    }

    @Test func aDirectoryIsChecked() {
        var files = MemoryFiles()
        files.files["etc/alertd.toml"] = Array("[[rule]]\nsymbol = \"a\"\nmax = 1\n".utf8)
        files.files["etc/rules.d/bad.toml"] = Array("[[rule]]\nsymbol = \"a\"\n".utf8)
        files.files["mine/one.toml"] = Array("[[rule]]\nsymbol = \"a\"\nmax = 1\n".utf8)
        let loader = SettingsLoader(files: files)
        #expect(loader.check(["etc"]).flatMap(\.findings).map(\.position?.file) == ["etc/rules.d/bad.toml"])
        #expect(loader.check(["mine"]).flatMap(\.findings).isEmpty)
        #expect(loader.check(["mine"]).first?.loaded?.settings.rules.count == 1)
    }

    @Test func theSimulatorHasRatesOfItsOwn() throws {
        for (text, isEnabled, isSimulated) in [
            ("[feed]\nsource = \"simulator\"", true, true), ("", true, false),
            ("[feed]\nsource = \"simulator\"\n[rates]\nenabled = true", true, false),
            ("[feed]\nsource = \"simulator\"\n[rates]\nenabled = false", false, false),
        ] {
            var files = MemoryFiles()
            files.files["a.toml"] = Array(text.utf8)
            let rates = try SettingsLoader(files: files).load("a.toml").settings.rates
            #expect(rates.isEnabled == isEnabled && rates.isSimulated == isSimulated, "\(text)")
        }
    }

    @Test func rulesAreReadInTheirOrder() throws {
        let rules = try loadFile("everything.toml").settings.rules
        #expect(rules.map(\.name) == ["all of it", "shibinr min", "*usdt min max", "ünï"])
        #expect(rules.map(\.severity) == [.critical, .warning, .warning, .info])
        #expect(rules[0].symbols.map(\.text) == ["btcinr", "eth*", "btcinr"])
        #expect(rules.map(\.currency) == [Currency("INR"), nil, nil, nil])
        let bands = try [
            Band(min: Price("4800000"), max: Price("7500000.50"), hysteresis: .percent(Price("0.5"))),
            Band(min: Price("0.00000041"), max: nil, hysteresis: .amount(Price("0.0000001"))),
            Band(min: Price("0.099"), max: Price("0.1")),
            Band(min: nil, max: Price("10.5")),
        ]
        #expect(rules.map(\.condition) == bands.map { .band($0) })
    }

    @Test func rulePositionsAreThoseOfTheirHeaders() throws {
        let loaded = try loadFile("everything.toml")
        #expect(loaded.ruleSources.map(\.begin.position).map(\.line) == [35, 44, 49, 54])
        #expect(loaded.ruleSources.map(\.begin.position).allSatisfy { $0.column == 1 && $0.file == "everything.toml" })
    }

    @Test func otherFormsOfTheSame() throws {
        let windows = try loadFile("windows-line-ends.toml").settings
        #expect(windows.feed.interval == .seconds(40))
        #expect(windows.rules.map(\.name) == ["btcinr min"])
        let inline = try loadFile("inline.toml")
        #expect(inline.settings.feed.interval == .seconds(10))
        #expect(inline.settings.rules.map(\.name) == ["btcinr min", "btcinr max"])
        #expect(inline.ruleSources.map(\.begin.position).map(\.column) == [9, 39])
    }

    @Test func withoutAnythingTheDefaultsHoldAndAWarningSaysThatNothingIsWatched() throws {
        let loaded = try load("")
        #expect(loaded.settings == Settings())
        #expect(
            loaded.warnings == [
                Finding(
                    .warning, at: SourcePosition(file: "alertd.toml", line: 0, column: 0),
                    "no rules: no alerts will be sent", advice: "add a [[rule]] here, or a file to rules.d"
                )
            ])
    }

    /// Digits that binary floating point cannot hold, written in every way there is.
    @Test(arguments: [
        ("0.1", "0.1"), ("9007199254740993.0", "9007199254740993"), ("123456789012345678.0", "123456789012345678"),
        ("4_800_000", "4800000"), ("\"4_800_000.000_1\"", "4800000.0001"), ("+5", "5"), ("5e3", "5000"),
        ("\"4.9E-7\"", "0.00000049"), ("9223372036854775807", "9223372036854775807"), ("1_000.000_5", "1000.0005"),
        ("0.000000000000000001", "0.000000000000000001"),
    ])
    func numbersAreExact(written: String, exact: String) throws {
        for text in [
            "max = \(written)", "max=\(written)# note", "\"max\"\t=\t\(written)",
            "name = \"é日\"\nmax = \(written)\r",
        ] {
            let rules = try load("[[rule]]\nsymbol = \"btcinr\"\n\(text)\n").settings.rules
            #expect(rules.map(\.condition) == [.band(try Band(min: nil, max: Price(exact)))])
        }
        let inline = try load("rule = [{name = \"é日\", symbol = \"a\", max = \(written)}]").settings.rules
        #expect(inline.map(\.condition) == [.band(try Band(min: nil, max: Price(exact)))])
    }

    @Test(arguments: [
        "\"1__0\"", "\"1_\"", "\"1_.5\"", "\"1._5\"", "\"1 2\"", "\"+1\"", "\".5\"", "\"1e\"", "0o7", "nan", "-0.0",
    ])
    func numbersThatAreNone(written: String) {
        #expect(throws: SettingsError.self) { try load("[[rule]]\nsymbol = \"btcinr\"\nmax = \(written)\n") }
    }

    @Test(arguments: [
        ("1MiB", 1_048_576), ("1024KiB", 1_048_576), ("1GiB", 1_073_741_824), ("1048576KiB", 1_073_741_824),
        ("3MiB", 3_145_728),
    ])
    func sizes(text: String, bytes: Int) throws {
        #expect(try load("[history]\nmemory = \"\(text)\"").settings.history.memoryBytes == bytes)
    }

    @Test(arguments: [
        "1023KiB", "1025MiB", "2GiB", "MiB", "-1MiB", "1.5MiB", "1 MiB", "1mib", "9223372036854775807GiB",
        "99999999999999999999MiB", "",
    ])
    func sizesThatAreNone(text: String) {
        #expect(throws: SettingsError.self) { try load("[history]\nmemory = \"\(text)\"") }
    }

    /// The shortest interval that is accepted for an address.
    @Test(arguments: [
        ("https://api.wazirx.com/sapi/v1", 10_000), ("https://API.WAZIRX.COM./x", 10_000),
        ("https://api.wazirx.com:8443", 10_000), ("http://localhost:1", 100), ("http://127.255.0.1/", 100),
        ("https://[::1]:8443/a", 100), ("https://127.0.0.1.example.com", 1_000), ("https://127.0.0.256", 1_000),
        ("https://wazirx.example", 1_000), ("https://[2001:db8::1]/", 1_000),
    ])
    func shortestInterval(url: String, milliseconds: Int64) throws {
        func text(_ interval: Int64) -> String { "[feed]\nurl = \"\(url)\"\ninterval = \"\(interval)ms\"" }
        #expect(try load(text(milliseconds)).settings.feed.interval == Milliseconds(milliseconds))
        #expect(throws: SettingsError.self) { try load(text(milliseconds - 1)) }
    }

    @Test(arguments: [
        "", "example.com", "ftp://example.com", "https://", "https:///x", "https://:80", "https://a:0",
        "https://a:65536",
        "https://a:b", "https://a:", "https://[::1", "https://[]", "https://[x]", "https://[::1]x", "https://a..b",
        "https://.a", "https://a b", "https://a/ü", "https://a/?q=1", "https://a/#f", "https://u@a", "https://u:p@a/",
        "https://a\\\\b", "http://example.com", "http://10.0.0.1", "https://a%41",
    ])
    func addressesThatAreNone(url: String) {
        #expect(throws: SettingsError.self) { try load("[feed]\nurl = \"\(url)\"") }
    }

    @Test func plainHTTPIsAcceptedWhenAllowed() throws {
        let feed = try load("[feed]\nurl = \"http://example.com/\"\nallow_http = true").settings.feed
        #expect(feed.url == "http://example.com")
        #expect(feed.allowsPlainHTTP)
    }

    @Test(arguments: ["\\u202Ex", "a\\u0085", "\\u0000", "\\uFEFFa", "a\\u2028b"])
    func namesThatDoNotShowAreRefused(name: String) {
        #expect(
            rendered(Array("[[rule]]\nname = \"\(name)\"\nsymbol = \"a\"\nmin = 1".utf8)).contains(
                "control or invisible character"))
    }

    @Test(arguments: ["बिटकॉइन", "क\u{94D}\u{200D}ष", "比特币 ₿", "a"])
    func namesInAnyScript(name: String) throws {
        let text = "[[rule]]\nname = \"\(name)\"\nsymbol = \"a\"\nmin = 1"
        #expect(try load(text).settings.rules.map(\.name) == [name])
    }
}

@Suite struct RelativeSettingsTests {
    @Test func limitsInPercentAreReadWithTheirBase() throws {
        let settings = """
            [[rule]]
            symbol = "btcinr"
            min = "-5%"
            max = "+10 %"
            from = "price"
            hysteresis = "1%"

            [[rule]]
            symbol = "btcinr"
            name = "since"
            max = "+12.5%"
            from = 2026-11-01

            [[rule]]
            symbol = "btcinr"
            name = "paid"
            min = "+5%"
            max = "7 000 kr"
            from = "5000 SEK"
            currency = "SEK"
            """
        let rules = try load(settings).settings.rules
        #expect(rules.map(\.name) == ["btcinr min max", "since", "paid"])
        #expect(
            rules.map(\.meaning) == [
                "btcinr: min -5% max +10% from price hysteresis 1%", "btcinr: max +12.5% from 2026-11-01",
                "btcinr: min 5250 max 7000 currency SEK",
            ])
        let text = String(rules[2].text(quote: nil).map { $0.isWhitespace ? " " : $0 })
        #expect(text == "min 5 250,00 kr max 7 000,00 kr (+5% and 7 000,00 kr from 5 000,00 kr)")
        #expect(rules[0].text(quote: Currency("INR")) == "min -5% max +10% from price hysteresis 1%")
        let quoted = try load("[[rule]]\nsymbol = \"btcinr\"\nmax = \"+1%\"\nfrom = \"2026-11-01\"\n").settings.rules
        #expect(quoted.map(\.meaning) == ["btcinr: max +1% from 2026-11-01"])
    }
}
