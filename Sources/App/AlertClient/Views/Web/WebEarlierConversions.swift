internal import Control
internal import Diagnostics
internal import HTTPServer
internal import JSON
internal import Market
internal import Time

/// The conversions that the user has kept, newest first.
struct WebEarlierConversions: JSONWritable {
    let conversions: [KeptConversion]
    let formatter: HumanFormatter

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.list("conversions", conversions.reversed()) { kept, writer in
            writer.beginObject()
            writer.member("number", kept.number)
            writer.member("time", kept.time.description)
            writer.member("text", kept.line(formatter))
            writer.member("date", kept.date)
            writer.flag("stale", kept.isStale)
            writer.flag("simulated", kept.isSimulated)
            writer.endObject()
        }
        writer.endObject()
    }
}

/// The comparison of a kept conversion with the same conversion at current rates, as labelled lines.
struct WebComparison: JSONWritable {
    let lines: [(label: String, text: String)]

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.list("lines", lines) { line, writer in
            writer.beginObject()
            writer.member("label", line.label)
            writer.member("text", line.text)
            writer.endObject()
        }
        writer.endObject()
    }
}

extension KeptConversion {
    /// `1 000,00 kr ≈ ₹10,011.66`, with its marks.
    fileprivate func line(_ formatter: HumanFormatter) -> String {
        ConversionText.line((amount, from), (result, to), isExact: isExact, formatter)
            + ConversionText.marks(isPegged: isPegged, isStale: isStale)
    }
}

extension WebDaemon {
    func earlierConversions() throws(ClientError) -> WebEarlierConversions {
        WebEarlierConversions(
            conversions: try KeptConversions(context.environment).conversions, formatter: pageFormatter)
    }

    /// Repeats a kept conversion at current rates, and does not keep the new result.
    func comparison(_ request: HTTPServerRequest) throws(ClientError) -> WebComparison {
        let text = try request.needed("number")
        guard let number = Int(text), number > 0 else {
            throw .usage("number: '\(visible(text))' is not the number of a conversion")
        }
        let kept = try KeptConversions(context.environment).conversion(number)
        let reply = try use { connection throws(ClientError) in
            try connection.call(.convert, kept.parameters, returning: ConvertReply.self)
        }
        let fields = EarlierConversions.comparison(of: kept, with: reply, pageFormatter)
        return WebComparison(
            lines: fields.compactMap { field in
                guard let label = field.title, let text = field.cell.human else { return nil }
                return (label, text)
            })
    }

    /// Converts at the latest rates, and keeps all results, or none if a conversion fails.
    func keep(_ conversion: WebConversion) throws(ClientError) -> String {
        guard context.environment.userFolder != nil else {
            throw .file("there is no home folder to keep conversions in")
        }
        let request = try conversion.request(context)
        let replies = try use { connection throws(ClientError) in
            try request.replies(connection, context)
        }
        try KeptConversions.keep(replies, context.environment)
        return "kept: " + replies.map { ConversionText($0, pageFormatter).line }.joined(separator: "; ")
    }

    func forgetConversion(_ number: Int) throws(ClientError) -> String {
        _ = try KeptConversions.forget([number], context.environment)
        return "conversion \(number) is forgotten"
    }

    func forgetConversions() throws(ClientError) -> String {
        _ = try KeptConversions.forgetAll(context.environment)
        return "all conversions are forgotten"
    }
}
