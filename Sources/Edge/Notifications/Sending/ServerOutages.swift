internal import Text
internal import Time

/// The servers of a receiver that did not accept the last message although another one did, such as one of a pair of
/// Alertmanagers.
struct ServerOutages {
    private struct Outage {
        var start: BootTime
        /// True if waiting does not help: the server refused the message or the credential.
        var isFinal: Bool
    }

    private var outages: [String: Outage] = [:]
    private var reported: Set<String> = []

    /// True if a server did not accept the last message.
    var isAny: Bool { !outages.isEmpty }

    /// Records the decisions of servers about a message.
    ///
    /// - Returns: The servers that did not accept it, and why, or nil if all accepted it.
    mutating func record(_ decisions: [DeliveryDecision], of urls: [String], at now: BootTime) -> String? {
        let old = outages
        outages = [:]
        guard decisions.count > 1, decisions.count == urls.count else { return nil }
        var texts: [String] = []
        for (name, decision) in zip(Self.names(of: urls), decisions) {
            guard let (reason, isFinal) = decision.failure else { continue }
            outages[name] = Outage(start: old[name]?.start ?? now, isFinal: isFinal)
            texts.append("\(name) \(Self.predicate): \(reason)")
        }
        reported.formIntersection(outages.keys)
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }

    /// Returns true if a server should be reported: it refuses messages, or has been down for at least `delay`, and
    /// neither this process nor `known`, the report of an earlier one, has named it.
    mutating func mustReport(after delay: Milliseconds, at now: BootTime, known: String) -> Bool {
        let due = outages.filter { $0.value.isFinal || now.since($0.value.start) >= delay }.keys
        let new = due.filter { !reported.contains($0) && !Self.isNamed($0, in: known) }
        reported.formUnion(due)
        return !new.isEmpty
    }

    private static let predicate = "did not accept it"

    private static func isNamed(_ server: String, in text: String) -> Bool {
        ": \(text)".includes(": \(server) \(predicate)") || text.includes("; \(server) \(predicate)")
    }

    /// Returns the host and port of each address. Paths may be secret, so addresses that differ only in them are
    /// numbered.
    private static func names(of urls: [String]) -> [String] {
        let hosts = urls.map { url in
            let authority = url.drop { $0 != "/" }.drop { $0 == "/" }.prefix { !"/?#".contains($0) }
            return String(authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority)
        }
        return hosts.enumerated().map { index, host in
            hosts.count { $0 == host } > 1 ? "\(host) (address \(index + 1))" : host
        }
    }
}

extension DeliveryDecision {
    /// The reason why a message was not accepted, and true if waiting does not help. Nil for a delivery.
    fileprivate var failure: (reason: String, isFinal: Bool)? {
        switch self {
        case .delivered: nil
        case .retry(let reason, _, _): (reason, false)
        case .refused(let reason), .stopped(let reason): (reason, true)
        }
    }
}
