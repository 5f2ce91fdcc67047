internal import Control
internal import JSON

/// A reply with one page of a list.
protocol PagedReply: JSONReadable {
    /// The value of `next` that requests the next page; nil for the last page.
    var next: Int? { get set }

    /// Appends the elements of the next page.
    mutating func append(_ page: Self)
}

/// The parameters of a call that returns pages.
protocol PagedParameters: JSONWritable {
    var next: Int? { get set }
}

extension ControlConnection {
    /// Calls a method once per page until the last one. Runs `work` while the daemon prepares the first page.
    ///
    /// - Returns: the reply with the elements of all pages.
    func all<Reply: PagedReply>(
        _ method: ControlInterface.Method, _ parameters: some PagedParameters, returning: Reply.Type,
        meanwhile work: () -> Void = {}
    ) throws(ClientError) -> Reply {
        var parameters = parameters
        var whole = try call(method, parameters, returning: Reply.self, meanwhile: work)
        var pages = 1
        while let next = whole.next {
            // Lists have thousands of elements and pages hundreds, so a working daemon never sends this many pages.
            guard next > parameters.next ?? 0, pages < 10_000 else {
                throw .malformed("the pages of a list do not end")
            }
            parameters.next = next
            let page = try call(method, parameters, returning: Reply.self)
            whole.append(page)
            whole.next = page.next
            pages += 1
        }
        return whole
    }
}

extension ListAlertsParameters: PagedParameters {}
extension ListTickersParameters: PagedParameters {}
extension ListRulesParameters: PagedParameters {}
extension ListSilencesParameters: PagedParameters {}
extension ExplainParameters: PagedParameters {}

extension ListAlertsReply: PagedReply {
    mutating func append(_ page: ListAlertsReply) { alerts += page.alerts }
}

extension ListTickersReply: PagedReply {
    mutating func append(_ page: ListTickersReply) { symbols += page.symbols }
}

extension ListRulesReply: PagedReply {
    mutating func append(_ page: ListRulesReply) { rules += page.rules }
}

extension ListSilencesReply: PagedReply {
    mutating func append(_ page: ListSilencesReply) { silences += page.silences }
}

extension ExplainReply: PagedReply {
    mutating func append(_ page: ExplainReply) { alerts += page.alerts }
}
