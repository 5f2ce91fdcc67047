import Control
import Market
import Testing
import Time

@testable import AlertClient

/// Prices in the currency that people chose.
@Suite(.timeLimit(.minutes(10)))
struct DisplayTests {
    /// A run against a daemon with rates for dollars, rupees and kronor, and a market of WRX.
    private func run(
        width: Int? = 100, _ variables: [String: String] = [:], settings: String? = "USD",
        _ change: (inout RatesReply) -> Void = { _ in }
    ) -> Run {
        let run = Run(width: width, variables: ["LANG": "C.UTF-8", "NO_COLOR": "1"].merging(variables) { $1 })
        var rates = Sample.rates
        rates.rates = [("USD", "1.25"), ("INR", "100"), ("SEK", "10")].map { ReferenceRate(currency: $0, rate: $1) }
        rates.displayCurrency = settings
        rates.markets = [RateStep(base: "WRX", quote: "INR", rate: "12.5", basis: .market, source: "wrxinr")]
        change(&rates)
        run.daemon.replies[.rates] = rates
        return run
    }

    @Test func dollarsUnlessSomethingElseIsSaid() {
        #expect(
            run(width: 80).output("list")
                == """
                Prices in USD; 1 USD = ₹80.00 (European Central Bank, 2026-11-20); * USDT counts
                as USD
                SYMBOL               LAST  CHANGE %         MIN         MAX  STATE
                btcinr        $93,912.51      +1.53  $60,000.00  $93,750.00  FIRING
                shibinr  $0.000000005125      -2.38           -           -  ok
                ethusdt        $3,100.10*      0.00           -           -  ok
                deadinr                -          -           -           -  frozen

                """)
    }

    @Test(
        arguments: [
            ("list --currency sek", ["ALERTCTL_CURRENCY": "EUR"], "USD", "SEK"),
            ("list", ["ALERTCTL_CURRENCY": "EUR"], "SEK", "EUR"), ("list", ["ALERTCTL_CURRENCY": ""], "SEK", "SEK"),
            ("list", [:], "SEK", "SEK"), ("list", ["ALERTCTL_CURRENCY": "Quote"], "SEK", nil), ("list", [:], nil, nil),
            ("list --currency quote", ["ALERTCTL_CURRENCY": "EUR"], "SEK", nil),
        ] as [(String, [String: String], String?, String?)])
    func theOptionComesBeforeTheVariableBeforeTheSettings(
        line: String, variables: [String: String], settings: String?, expected: String?
    ) {
        let output = run(variables, settings: settings).output(line)
        if let expected {
            #expect(output.hasPrefix("Prices in \(expected); "))
        } else {
            #expect(
                output.hasPrefix("SYMBOL") && output.contains("₹75,13,000.50")
                    && output.contains("3,100.10\u{A0}USDT"))
        }
    }

    @Test func whatIsNoCurrencyIsAWrongUse() {
        for (line, variables) in [("list --currency U$", [:]), ("list", ["ALERTCTL_CURRENCY": "U$"])] {
            let run = run(variables)
            #expect(run(line) == 2)
            #expect(run.errors.contains("takes a currency such as USD, or 'quote', but got 'U$'"))
            #expect(run.daemon.asked.isEmpty)
        }
    }

    @Test(arguments: [
        ("list --currency EURO", [:], "--currency", "EURO", "did you mean EUR (Euro)?"),
        ("list", ["ALERTCTL_CURRENCY": "kr"], "ALERTCTL_CURRENCY", "kr", "DKK, ISK, NOK, SEK"),
        ("show btcinr --json --currency QQQQ", [:], "--currency", "QQQQ", "write a code such as USD or SEK"),
    ])
    func anUnknownCurrencyIsRefusedWithTheNearestKnownOne(
        line: String, variables: [String: String], place: String, name: String, advice: String
    ) {
        let run = run(variables)
        #expect(run(line) == 2 && run.output.isEmpty)
        #expect(
            run.errors.contains("\(place) takes a currency such as USD, or 'quote', but got '\(name)'"), "\(run.errors)"
        )
        #expect(run.errors.contains(advice), "\(run.errors)")
    }

    /// What the daemon has a rate for is known, whatever its name.
    @Test func aCurrencyOfTheDaemonIsKnown() {
        for currency in ["btc", "wrx", "inr", "usdt", "gold"] {
            let run = run { rates in
                rates.markets.append(RateStep(base: "GOLD", quote: "INR", rate: "5", basis: .market, source: "goldinr"))
            }
            #expect(run("list --currency \(currency)") == 0, "\(run.errors)")
        }
    }

    @Test func kronorAreWrittenAsInSweden() {
        let output = run().output("show btcinr --currency SEK")
        #expect(output.hasPrefix("Prices in SEK; 1 SEK = ₹10.00 (European Central Bank, 2026-11-20)\n"))
        #expect(output.contains("Last: 751\u{A0}300,05\u{A0}kr\n"))
        #expect(output.contains("At the source: ₹75,13,000.50\n"))
        #expect(output.contains("739\u{A0}000,00\u{A0}kr to 752\u{A0}000,00\u{A0}kr, 8 prices"))
    }

    @Test func aPriceThatIsNotConvertedIsNotShownTwice() {
        let output = run { $0.rates.removeAll { $0.currency == "INR" } }.output("show btcinr")
        #expect(output.contains("Last: 7,513,000.50\u{A0}INR^\n") && !output.contains("At the source"))
    }

    @Test func explanationsShowBothAmounts() {
        let output = run().output("limit btcinr --currency quote")
        #expect(output.contains("₹75,00,000.00") && !output.contains("7 500 000"))
        let event = Sample.event
        let shown = run()
        shown.daemon.replies[.listEvents] = ListEventsReply(
            simulated: false, source: "wazirx", events: [event], more: false)
        #expect(shown.output("why 13").contains("Price: ₹75,13,000.50 ($93,912.51), received 07:19:48"))
    }

    /// Marks hang beyond the edge: digits stay below digits.
    @Test func whatRestsOnAPegIsMarked() {
        let lines = run(width: 60).output("list --currency USD").split(separator: "\n")
        #expect(lines[0].contains("* USDT counts as USD") || lines[1].contains("* USDT counts as USD"))
        #expect(lines.contains("btcinr        $93,912.51      +1.53  FIRING"))
        #expect(lines.contains("ethusdt        $3,100.10*      0.00  ok"))
    }

    @Test func oldRatesAreMarkedAndSaid() {
        let output = run {
            $0.stale = true
            $0.ageDays = 8
        }.output("list")
        #expect(output.contains("\n! STALE exchange rates of 2026-11-20, 8 days old; 'alertctl rates' shows why\n"))
        #expect(output.contains("$93,912.51!"))
        #expect(output.contains("$3,100.10* "))
    }

    @Test func whatCannotBeConvertedStaysAndIsMarked() {
        let output = run { $0.rates.removeAll { $0.currency == "INR" } }.output("list")
        #expect(output.contains("^ not converted: no conversion path from INR to USD"))
        #expect(output.contains("7,513,000.50\u{A0}INR^"))
        #expect(output.contains("$3,100.10*"))
    }

    /// All numbers of a column are written alike.
    @Test func whatCannotBeConvertedIsWrittenAsTheOthers() {
        let run = run { $0.rates.removeAll { $0.currency == "INR" } }
        let output = run.output("list --currency SEK")
        #expect(output.contains("7\u{A0}513\u{A0}000,50\u{A0}INR^") && !output.contains("₹"), "\(output)")
        #expect(output.contains("kr*"), "\(output)")
    }

    @Test(arguments: ["chart btcinr --since 1h --size 90x20", "chart btcinr --since 1h --svg -", "ack BTCINR"])
    func aChartWritesItAsTablesDo(line: String) {
        let run = chartRun(width: nil)
        var rates = Sample.rates
        rates.displayCurrency = "USD"
        run.daemon.replies[.rates] = rates
        #expect(run(line) == 0)
        let output = run.output.replacing("\u{A0}", with: " ")
        #expect(output.contains("7,500,000.00 INR^"), "\(output)")
        #expect(!output.contains("₹") && !output.contains("75,00,000"), "\(output)")
    }

    @Test func withoutRatesNothingIsGuessed() {
        let run = run()
        run.daemon.replies[.rates] = RatesReply(
            base: "EUR", stale: true, staleAfterDays: 6, rates: [], pegs: [], state: .disabled, ignored: [],
            displayCurrency: "USD", markets: [])
        let output = run.output("list")
        #expect(output.contains("^ not converted: no conversion path from INR, USDT to USD"))
        #expect(output.contains("3,100.10\u{A0}USDT^"))
        #expect(!output.contains("$"))
    }

    @Test func aCoinGoesThroughItsMarket() {
        let run = run()
        var symbol = Sample.symbols[0]
        symbol.quote = "wrx"
        symbol.last = "16"
        run.daemon.replies[.listTickers] = ListTickersReply(
            simulated: false, source: "wazirx", received: Sample.received, stale: false, symbols: [symbol])
        let output = run.output("list")
        #expect(output.contains("$2.50"))
        #expect(output.contains("1 WRX = ₹12.50 (market wrxinr)"))
    }

    @Test func aCoinThatIsAskedForIsAskedOfTheDaemon() {
        let run = run()
        run("list --currency btc")
        #expect(run.daemon.parameters.compactMap { $0 as? RatesParameters } == [RatesParameters(currency: "BTC")])
    }

    @Test func alertsAreShownInTheChosenCurrency() {
        let lines = run(width: 160).output("alerts --currency sek").split(separator: "\n")
        #expect(lines[2].contains("750\u{A0}000,00\u{A0}kr") && lines[2].contains("INR"))
    }

    @Test func pastPricesAreConvertedByTheRatesOfToday() {
        let output = run().output("history btcinr --since 1h30m --step none")
        #expect(output.contains("Prices in USD; 1 USD = ₹80.00 ("))
        #expect(output.contains("06:00:00  $93,912.51"))
    }

    @Test func eventsSayThePriceOnceMore() {
        let output = run().output("events")
        #expect(output.contains("$93,912.51  btcinr at 7513000.5 INR, max 7500000\n"))
        #expect(!run().output("events --currency quote").contains("PRICE"))
    }

    @Test func aTailNamesTheRatesWhenItUsesThem() {
        let run = run()
        run.daemon.monitored = [
            [MonitorEventsReply(event: Sample.resolved), MonitorEventsReply(event: Sample.event)]
        ]
        run.daemon.connectionErrors = [nil] + Array(repeating: .notRunning(socket: ""), count: 40)
        run("tail -n 0")
        #expect(run.output.contains("max 7500000 ($93,912.51)\n"))
        #expect(run.errors.contains("# Prices in USD; 1 USD = ₹80.00 (European Central Bank, 2026-11-20)\n"))
    }

    @Test func programsGetTheMarketsOwnCurrencyUnlessTheyAsk() {
        let run = run(["ALERTCTL_CURRENCY": "SEK"])
        let own = run.output("list --json")
        #expect(own.contains(#""last":"7513000.5""#) && own.contains(#""currency":"INR""#))
        #expect(!run.daemon.asked.contains(.rates))
        let asked = run.output("list --json --currency SEK")
        #expect(asked.contains(#""last":"751300.05""#) && asked.contains(#""currency":"SEK""#))
        #expect(
            asked.contains(#""display_currency":"SEK","rates_date":"2026-11-20","rates_stale":false,"pegged":true"#))
        let plain = run.output("list --plain --currency USD")
        #expect(plain.contains("btcinr\tbtc\t93912.50625\t1.53"))
        let csv = run.output("history btcinr --csv --currency USD")
        #expect(csv.contains("2026-11-21T05:00:00.000Z,93912.50625,,USD\n"))
        let events = run.output("events --json --currency SEK")
        #expect(events.contains(#""price":"751300.05","limit":"750000","currency":"SEK","previous":{"price":"749900""#))
    }

    @Test func programsLearnWhatIsNotConverted() {
        let run = run { $0.rates.removeAll { $0.currency == "INR" } }
        let output = run.output("list --json --currency USD")
        #expect(output.contains(#""last":"7513000.5""#) && output.contains(#""currency":"INR""#))
        #expect(output.contains(#""last":"3100.10""#) && output.contains(#""currency":"USD""#))
    }

    @Test func amountsThatAreConvertedAreWrittenTheSame() {
        let run = run(width: 80)
        var conversion = Sample.conversion
        conversion.pegged = true
        run.daemon.replies[.convert] = conversion
        #expect(
            run.output("convert 1000 SEK INR")
                .hasPrefix(
                    "1\u{A0}000,00\u{A0}kr ≈ ₹10,011.66*\nSwedish krona to Indian rupee\n"
                        + "1 EUR = 10,8920\u{A0}kr (European Central Bank"
                ))
    }

    @Test func anExportStaysWhatItIs() {
        let run = run()
        #expect(run("export --currency USD") == 2)
        #expect(run.errors.contains("in their own currency"))
    }

    @Test func rulesShowTheirLimitsInTheChosenCurrency() {
        let run = run(width: 160)
        run.daemon.replies[.listRules] = ListRulesReply(rules: [
            RuleStatus(
                name: "band", source: "wazirx", symbols: ["btcinr"], condition: "min 4800000 max 7500000",
                conditionText: "min ₹48,00,000.00 max ₹75,00,000.00", severity: .warning,
                matches: 1, firing: 0,
                limits: [
                    RuleLimit(bound: .min, limit: "4800000", currency: "INR"),
                    RuleLimit(bound: .within, limit: "120..135", currency: "USDT"),
                ], state: .ok, problems: [])
        ])
        let output = run.output("rules")
        #expect(output.contains("IN USD") && output.contains("min $60,000.00, within $120.00..$135.00*"))
        #expect(run.output("rules --json").contains(#""limits":["min 4800000 INR","within 120..135 USDT"]"#))
        #expect(
            run.output("rules --json --currency USD").contains(#""limits":["min 60000 USD","within 120..135 USD"]"#))
        #expect(!self.run(width: 160).output("rules --currency quote").contains("IN USD"))
    }

    @Test func theStatusSaysWhatPricesAreShownIn() {
        #expect(run().output("status").contains("Prices in: USD, at exchange rates of 2026-11-20\n"))
        #expect(run().output("status --currency quote").contains("Prices in: each market's own currency\n"))
    }

    @Test func theOrderIsThatOfWhatIsShown() {
        let symbols = { (output: String) in
            output.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }.suffix(4)
        }
        // 7,513,000.5 rupees are 93,912 dollars; 0.00000041 rupees are less than 3,100 USDT either way.
        var tickers = Sample.symbols
        tickers[1].last = "3200"
        let run = { (line: String) -> String in
            let run = self.run()
            run.daemon.replies[.listTickers] = ListTickersReply(
                simulated: false, source: "wazirx", received: Sample.received, stale: false, symbols: tickers)
            return run.output(line)
        }
        #expect(symbols(run("list --sort last")) == ["shibinr", "ethusdt", "btcinr", "deadinr"])
        #expect(symbols(run("list --sort last --currency quote")) == ["ethusdt", "shibinr", "btcinr", "deadinr"])
    }

    @Test func theBannerIsAboutWhatIsShown() {
        #expect(!run().output("list --top 2").contains("USDT"))
        #expect(run().output("list --top 3").contains("* USDT counts as USD"))
    }

    /// A rate that rests on the price of a coin is none of the bank's.
    @Test func aCoinIsNoReference() {
        let run = run {
            $0.markets.append(RateStep(base: "BTC", quote: "INR", rate: "7500000", basis: .market, source: "btcinr"))
        }
        let output = run.output("list --top 1 --currency BTC")
        #expect(output.contains("1.0017334\u{A0}BTC"))
        #expect(output.hasPrefix("Prices in BTC; 1 BTC = ₹75,00,000.00 (market btcinr)\n"))
    }

    /// A tail runs for days; the rates do not.
    @Test func aTailAsksForNewRatesEachHour() {
        let run = run()
        var rates = [("1.25", "2026-11-20"), ("1.25", "2026-11-20"), ("1", "2026-11-21")][...]
        run.daemon.answers[.rates] = { [reply = run.daemon.replies[.rates]] _ in
            let next = rates.count > 1 ? rates.removeFirst() : rates.first ?? ("1", "")
            guard var reply = reply as? RatesReply else { return Nothing() }
            reply.rates[0].rate = next.0
            reply.date = next.1
            return reply
        }
        var minutes: Int64 = 0
        run.environment.now = {
            minutes += 25
            return WallTime(milliseconds: Sample.now.milliseconds + minutes * 60_000)
        }
        run.daemon.monitored = [Array(repeating: MonitorEventsReply(event: Sample.event), count: 6)]
        run.daemon.connectionErrors = [nil, nil, nil] + Array(repeating: .notRunning(socket: ""), count: 40)
        run("tail -n 0")
        #expect(run.output.contains("($93,912.51)\n") && run.output.contains("($75,130.00)\n"))
        #expect(
            run.errors.contains("2026-11-20)\n")
                && run.errors.contains("1 USD = ₹100.00 (European Central Bank, 2026-11-21)\n"))
    }

    @Test func aTailMarksWhatCannotBeConverted() {
        let run = run { $0.rates.removeAll { $0.currency == "INR" } }
        run.daemon.monitored = [[MonitorEventsReply(event: Sample.event)]]
        run.daemon.connectionErrors = [nil] + Array(repeating: .notRunning(socket: ""), count: 40)
        run("tail -n 0")
        #expect(run.output.contains("max 7500000^\n"))
        #expect(run.errors.contains("# ^ not converted: no conversion path from INR to USD"))
    }
}
