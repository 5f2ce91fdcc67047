// curl -s https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml | convert 100 SEK INR
import ExchangeRates
import Market
import ReferenceRateFiles

var file = ""
while let line = readLine(strippingNewline: false) { file += line }
let words = CommandLine.arguments
if words.count == 4, let money = Money("\(words[1]) \(words[2])"), let currency = Currency(words[3]) {
    let rates = try RateHistory(file: Array(file.utf8)).latest
    print(try CurrencyConverter(rates).convert(money, to: currency))
} else {
    print("usage: convert AMOUNT FROM TO <FILE")
}
