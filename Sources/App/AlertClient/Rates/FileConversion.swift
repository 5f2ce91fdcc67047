internal import Control
internal import ExchangeRates
internal import Market
internal import Time

/// Conversions at the rates of a file, without a daemon: `alertctl convert --rates FILE`.
enum FileConversion {
    /// Returns a reply for each target. Without a date in the request, the last rates of the file are used.
    ///
    /// - Throws: ``ClientError``, which names the date or currency without rates.
    static func replies(
        to request: ConversionRequest, by file: RatesFile, _ context: Context
    ) throws(ClientError) -> [ConvertReply] {
        let date = request.date ?? file.dates.upperBound
        var replies: [ConvertReply] = []
        for target in request.targets {
            do throws(PastRateError) {
                try PastConversion.check(date, today: date, [request.source, target])
                guard let table = file.table(on: date) else {
                    throw .beforeFirst(date, first: file.dates.lowerBound)
                }
                let conversion = try PastConversion.convert(
                    Money(request.amount, request.source), to: target, on: date, by: table)
                // The last rates of a file may be old. Rates of a requested date are never stale.
                let isStale = request.date == nil && table.isStale(on: context.formatter.now.date)
                replies.append(ConvertReply(conversion, isStale: isStale, on: request.date))
            } catch {
                throw .refused(Refused(message: "\(error)"))
            }
        }
        return replies
    }
}
