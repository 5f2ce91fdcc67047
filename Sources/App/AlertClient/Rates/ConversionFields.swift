internal import Control

extension ConversionRequest {
    /// Reads the fields of a converter. An amount that names a currency of its own, such as `₹75,00,000`, is in that
    /// one.
    ///
    /// - Throws: ``ClientError/usage(_:)``, which names the text that is wrong and what to write.
    init(amount: String, from: String, to: [String], _ context: Context) throws(ClientError) {
        let request = try ConversionRequest([amount, from] + to, context)
        // Where the amount has a currency, the word after it would be one more to convert to.
        self = request.targets.count > to.count ? try ConversionRequest([amount] + to, context) : request
    }
    /// Converts to all currencies, or to none.
    func replies(_ connection: any ControlConnection, _ context: Context) throws(ClientError) -> [ConvertReply] {
        var replies: [ConvertReply] = []
        for parameters in parameters { replies.append(try ConvertCommand.reply(to: parameters, connection, context)) }
        return replies
    }
}
