import Market
import Testing

@testable import AlertClient

@Suite struct PresumedSymbolTests {
    @Test(
        arguments: [
            ("data/BTCUSDT-1m-2026-11.csv", "btcusdt"), ("binance-1m_BTC-USDT_2024-03.csv.gz", "btcusdt"),
            ("binanceus-1m_BTCUSD_2023-03.csv", "btcusd"), ("btcinr.jsonl", "btcinr"), ("solgbx.csv", "solgbx"),
            ("ftx-1m_BTC-PERP_2022-01.csv", nil), ("-", nil), ("", nil), ("/x/", "x"),
        ])
    func isInTheNameOfTheFile(path: String, symbol: String?) {
        #expect(Symbol(presumedFrom: path)?.description == symbol)
    }
}
