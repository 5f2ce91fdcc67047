internal import Control

extension ConversionRequest {
    /// Parses the fields of a converter. If the amount names a currency, such as `₹75,00,000`, this currency
    /// replaces `from`.
    ///
    /// - Throws: ``ClientError/usage(_:)``, which names the invalid text and what to write instead.
    init(amount: String, from: String, to: [String], _ context: Context) throws(ClientError) {
        let request = try ConversionRequest([amount, from] + to, context)
        // If the amount names its currency, `from` was parsed as a further target, so parse again without it.
        self = request.targets.count > to.count ? try ConversionRequest([amount] + to, context) : request
    }
    /// Converts the amount to every target currency. Throws if one of the conversions fails.
    func replies(_ connection: any ControlConnection, _ context: Context) throws(ClientError) -> [ConvertReply] {
        var replies: [ConvertReply] = []
        for parameters in parameters { replies.append(try ConvertCommand.reply(to: parameters, connection, context)) }
        return replies
    }
}
