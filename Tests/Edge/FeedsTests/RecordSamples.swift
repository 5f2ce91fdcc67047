import Feeds
import HTTP
import Market
import Time

/// Decodes a body with a new decoder.
func decode(_ body: String, as format: some RecordFormat) throws(DecodingFailure) -> TickerBatch {
    var decoder = RecordDecoder(format)
    return try decoder.decode(padded(body), received: receipt)
}

/// How a body fails to decode; nil when it does not fail.
func decodingFailure(_ body: some Sequence<UInt8>, as format: some RecordFormat) -> DecodingFailure? {
    var decoder = RecordDecoder(format)
    do {
        _ = try decoder.decode(padded(body), received: receipt)
        return nil
    } catch {
        return error
    }
}

func decodingFailure(_ body: String, as format: some RecordFormat) -> DecodingFailure? {
    decodingFailure(Array(body.utf8), as: format)
}

/// A ticker as Binance writes it: recorded for SHIBTRY on 2022-01-31, with the time of the tests.
func binanceElement(_ symbol: String, last: String = "0.00029220", closeTime: String = "1669012549711") -> String {
    #"{"symbol":"\#(symbol)","priceChange":"0.00000945","priceChangePercent":"3.342","#
        + #""weightedAvgPrice":"0.00028925","prevClosePrice":"0.00028273","lastPrice":"\#(last)","#
        + #""lastQty":"27309157.00","bidPrice":"0.00029206","bidQty":"8092472.00","askPrice":"0.00029223","#
        + #""askQty":"15000000.00","openPrice":"0.00028275","highPrice":"0.00029500","lowPrice":"0.00028180","#
        + #""volume":"621432087719.00","quoteVolume":"179748569.24176604","openTime":1668926149711,"#
        + #""closeTime":\#(closeTime),"firstId":30323603,"lastId":30362303,"count":38701}"#
}

/// A ticker as Kraken writes it: recorded for XXBTZUSD in 2023.
func krakenElement(_ name: String, last: String = "27712.10000") -> String {
    #""\#(name)":{"a":["27712.10000","8","8.000"],"b":["27712.00000","2","2.000"],"c":["\#(last)","0.01686188"],"#
        + #""v":["1414.57420708","1686.74719574"],"p":["27497.35370","27478.05822"],"t":[20034,23808],"#
        + #""l":["27229.80000","27101.20000"],"h":["27826.30000","27926.30000"],"o":"27428.20000"}"#
}

func krakenBody(_ elements: String...) -> String {
    #"{"error":[],"result":{\#(elements.joined(separator: ","))}}"#
}
