import Testing

@testable import AlertClient

/// Exports as alertctl wrote them before its vocabulary was unified: they can still be imported.
struct FormerExportTests {
    private static let header =
        #"{"alertctl_export":"prices","format":1,"version":"0.1.0","source":"wazirx","simulated":false,"#
        + #""exported":"2026-11-21T14:40:00.000Z","time_zone":"UTC","symbols":["btc*"],"since":null,"until":null}"#

    @Test(arguments: [
        """
        \(header)
        {"time":"2026-11-21T05:00:00.000Z","symbol":"btcinr","price":"7513000.5"}
        {"time":"2026-11-21T05:00:00.000Z","symbol":"btcusdt","price":"91000"}
        {"time":"2026-11-21T05:00:30.000Z","symbol":"btcinr","price":"7513000.50"}
        {"complete":true,"records":3}

        """,
        """
        # alertctl export: \(header)
        time,symbol,price
        2026-11-21T05:00:00.000Z,btcinr,7513000.5
        2026-11-21T05:00:00.000Z,btcusdt,91000
        2026-11-21T05:00:30.000Z,btcinr,7513000.50
        # complete, records: 3

        """,
    ])
    func theyAreImported(text: String) throws {
        let file = try TemporaryFile(text)
        let run = Run()
        let ledger = Ledger(run.daemon)
        #expect(run("import \(file.path)") == 0)
        #expect(run.errors == "")
        #expect(
            ledger.prices == [
                "btcinr": [1_795_237_200_000: "7513000.5", 1_795_237_230_000: "7513000.50"],
                "btcusdt": [1_795_237_200_000: "91000"],
            ])
    }
}
