import Foundation
import Testing

private let rates = """
    <g:Envelope xmlns:g="http://www.gesmes.org/xml/2002-08-01"
        xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><Cube><Cube time='2022-11-21'>
        <Cube currency='USD' rate='1.0246'/><Cube currency='SEK' rate='10.9858'/>
        <Cube currency='INR' rate='83.7285'/></Cube></Cube></g:Envelope>
    """

/// Exchange rates, from the file to the output.
@Suite(.timeLimit(.minutes(10)))
struct RateTests {
    @Test func amountsAreConverted() async throws {
        let stage = try await Stage(rules: "", rates: rates)
        try await waitForRates(of: stage) { $0["date"] as? String == "2022-11-21" }
        let known = try await stage.json("rates")
        #expect((known["rates"] as? [[String: String]])?.map { $0["rate"] } == ["1.0246", "10.9858", "83.7285"])
        #expect(known["stale"] as? Bool == true && known["state"] as? String == "ok")

        let conversion = try await stage.json("convert", "100", "SEK", "INR")
        #expect(conversion["result"] as? String == "762.152050829")  // 100 ÷ 10.9858 × 83.7285 = 762.1520508292…
        #expect(conversion["stale"] as? Bool == true)
        try await stage.polls()
        let bitcoin = try await stage.json("convert", "0.5", "btc", "USD")
        // 0.5 × 100 ÷ 83.7285 × 1.0246 = 0.6118585666768…
        #expect(bitcoin["result"] as? String == "0.611858566677")
        let tether = try await stage.json("convert", "2", "usdt", "usd")
        #expect(tether["result"] as? String == "2" && tether["pegged"] as? Bool == true)

        let unknown = try await stage.ctl("convert", "1", "SRD", "SEK")
        #expect(unknown.code == 1)
        #expect(unknown.errors.contains("there is no exchange rate for SRD"))
    }

    @Test func aRuleMayBeInAnyCurrency() async throws {
        let rule = """
            [[rule]]
            name = "kronor"
            symbol = "btcinr"
            currency = "SEK"
            max = "13.12"
            """
        let today = String(Date().ISO8601Format().prefix(10))
        let stage = try await Stage(rules: rule, rates: rates.replacingOccurrences(of: "2022-11-21", with: today))
        // 100 INR ÷ 83.7285 × 10.9858 = 13.1207… SEK.
        while try await alert(of: stage)["state"] as? String != "firing" { try await stage.polls(1) }
        #expect(try await alert(of: stage)["currency"] as? String == "SEK")
    }

    /// Rates of the first day on which the euro has replaced the lev.
    private static let simple = """
        <g:Envelope xmlns:g="http://www.gesmes.org/xml/2002-08-01"
            xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><Cube><Cube time='DATE'>
            <Cube currency='USD' rate='1.25'/><Cube currency='SEK' rate='10'/>
            <Cube currency='INR' rate='100'/></Cube></Cube></g:Envelope>
        """

    /// The command, its exit code, and a part of the answer.
    @Test func conversionsSucceedOrNameTheWordThatIsWrong() async throws {
        let stage = try await Stage(
            rules: "", rates: Self.simple.replacingOccurrences(of: "DATE", with: "2026-01-02"))
        try await waitForRates(of: stage) { $0["date"] as? String == "2026-01-02" }
        for (words, code, part) in [
            ("195.583 BGN SEK", 0, "1 000,00"), ("753.45 HRK SEK", 0, "1 000,00"), ("100 EUR SEK USD", 0, "125"),
            ("100 EUR to SEK", 0, "1 000,00"), ("12abc usd", 2, "'12abc' is not an amount"),
            ("-- -5 EUR SEK", 0, "-50,00"), ("-5 EUR SEK", 0, "-50,00"), ("100 SEK INR 2024-01-05", 2, "--on"),
        ] as [(String, Int32, String)] {
            let answer = try await stage.ctl(["convert"] + words.split(separator: " ").map(String.init))
            #expect(answer.code == code, "\(words): \(answer)")
            let text = (answer.output + answer.errors).replacingOccurrences(of: "\u{A0}", with: " ")
            #expect(text.contains(part) && !text.contains("is not in"), "\(words): \(text)")
        }
        let steps = try await stage.json("convert", "1", "BGN", "EUR")
        #expect(steps["date"] is NSNull && steps["stale"] as? Bool == false)
    }

    @Test func aRuleMayBeInACurrencyThatTheEuroHasReplaced() async throws {
        let rule = """
            [[rule]]
            name = "leva"
            symbol = "btcinr"
            currency = "BGN"
            max = "1.95583"
            """
        let today = String(Date().ISO8601Format().prefix(10))
        let stage = try await Stage(
            rules: rule, rates: Self.simple.replacingOccurrences(of: "DATE", with: max(today, "2026-01-02")))
        // 100 INR are exactly 1 EUR.
        while try await alert(of: stage)["state"] as? String != "firing" { try await stage.polls(1) }
        let explained = try await stage.ctl("explain", "leva")
        #expect(
            explained.output.contains("Council Regulation (EC) No 2866/98, fixed since 2026-01-01"),
            "\(explained.output)")
    }

    private func alert(of stage: Stage) async throws -> [String: Any] {
        try #require((try await stage.json("alerts")["alerts"] as? [[String: Any]])?.first)
    }

    @Test func ratesOutliveTheProcess() async throws {
        let stage = try await Stage(rules: "", rates: rates)
        try await waitForRates(of: stage) { $0["date"] as? String == "2022-11-21" }
        try await stage.polls(2)
        let before = try await stage.json("rates")
        stage.daemon.signal(SIGTERM)
        #expect(try await stage.daemon.exitCode() == 0)
        try await stage.exchange.command(["do": "rates", "text": "none"])
        try await stage.restart()
        let after = try await stage.json("rates")
        #expect(after["date"] as? String == "2022-11-21" && after["state"] as? String == "ok")
        #expect(after["fetched"] as? String == before["fetched"] as? String)
        #expect((after["rates"] as? [[String: String]])?.count == 3)
    }

    /// A minute after the start the next fetch is hours away.
    @Test func ratesAreFetchedOnRequest() async throws {
        let stage = try await Stage(rules: "", rates: rates)
        try await waitForRates(of: stage) { $0["date"] as? String == "2022-11-21" }
        let new = rates.replacingOccurrences(of: "2022-11-21", with: "2022-11-22")
        try await stage.exchange.command(["do": "rates", "text": new])
        var answer = try await stage.ctl("rates", "--refresh")
        while answer.code != 0 {
            #expect(answer.errors.contains("requested just now; try again in "), "\(answer)")
            try await stage.polls(1)
            answer = try await stage.ctl("rates", "--refresh")
        }
        #expect(answer.output.contains("Date: 2022-11-22"), "\(answer)")
    }

    @Test func aBadFileNeverReplacesAGoodOne() async throws {
        let stage = try await Stage(rules: "", rates: rates)
        try await waitForRates(of: stage) { $0["date"] as? String == "2022-11-21" }
        let new = rates.replacingOccurrences(of: "2022-11-21", with: "2022-11-22")
        // The transfer broke off.
        let bad = String(new.dropLast(20))
        try await stage.exchange.command(["do": "rates", "text": bad])
        let text = try String(contentsOfFile: stage.settings, encoding: .utf8)
        try text.replacingOccurrences(of: "/eurofxref", with: "/again/eurofxref")
            .write(toFile: stage.settings, atomically: true, encoding: .utf8)
        #expect(try await stage.ctl("reload").code == 0)
        try await waitForRates(of: stage) { $0["state"] as? String == "unusable" }
        let known = try await stage.json("rates")
        #expect(known["date"] as? String == "2022-11-21")
        #expect((known["message"] as? String)?.contains("line ") == true, "\(known)")
    }

    private func waitForRates(of stage: Stage, until isThere: ([String: Any]) -> Bool) async throws {
        while !isThere(try await stage.json("rates")) { try await stage.polls(1) }
    }
}
