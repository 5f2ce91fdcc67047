package import EventLoop
package import Events
package import HTTP
package import Market
package import NATS
package import Receivers
package import ServiceManager
package import Time

/// A client that sends requests and mails. Tests implement it without a network.
@LoopActor
package protocol NotificationSending: AnyObject {
    /// Sends a request.
    ///
    /// - Returns: The response, whatever its status.
    /// - Throws: ``HTTPError`` if there was no complete response.
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse
    /// Hands a mail to its server.
    ///
    /// - Returns: The reply of the server.
    /// - Throws: ``HTTPError`` if there was no conversation with the server.
    func send(_ mail: OutgoingMail) async throws(HTTPError) -> MailReply
    /// Sends messages to a NATS server.
    ///
    /// - Returns: A reply for each message.
    func ask(_ publication: NATSPublication) async throws(NATSError) -> [NATSReply]
}

extension NotificationHost {
    package func prices(
        of symbols: [SymbolPattern]?, after positions: [SourceName: WallTime], limit: Int
    ) -> PriceBatch { PriceBatch() }

    package func polledThrough() -> [SourceName: WallTime] { [:] }

    package func endedMessages(by events: [Event], at receiver: String) -> [String] { [] }

    package func openFailure(of receiver: String) -> String? { nil }

    package func receiversOfFirings(endedBy ends: [Event]) -> [Int64: Set<String>] { [:] }
}

extension NotificationSending {
    package func ask(_ publication: NATSPublication) async throws(NATSError) -> [NATSReply] {
        throw .failed("this client does not speak NATS")
    }

    /// Sends messages to a stream.
    ///
    /// - Returns: Status 200 if the stream has stored every message, or else a status and a text that describe the
    ///   fault.
    func send(_ publication: NATSPublication) async throws(HTTPError) -> HTTPResponse {
        do throws(NATSError) {
            return try await ask(publication).map(StreamReply.init).worst.response
        } catch {
            switch error {
            case .refused(let reason): return StreamReply(status: 401, text: reason).response
            case .failed(let reason): throw .other(reason)
            }
        }
    }
}

/// The part of the daemon that deliveries query. No member changes the daemon.
@LoopActor
package protocol NotificationHost: AnyObject {
    /// The composer of texts, with the current display currency.
    var composer: NotificationComposer { get }

    /// Returns the events with these numbers, which are ascending. Events that no longer exist are missing.
    func events(numbered numbers: [Int64]) -> [Event]

    /// Returns each firing alert that was notified, in its current state, and reports of the daemon that have not
    /// ended.
    func firingEvents() -> [Event]

    /// Returns the notified events since the given time that ended an alert or a report.
    func ends(since time: WallTime) -> [Event]

    /// Returns the ends of the last day that a silence suppressed and that no later event reports, because the rule
    /// ended as well. Leaves out ends that a silence still matches. The ends are marked as notified.
    func suppressedEnds() -> [Event]

    /// Returns the receivers that were notified of the firings that these events end, by event number. An event whose
    /// receivers are unknown is missing.
    func receiversOfFirings(endedBy ends: [Event]) -> [Int64: Set<String>]

    /// Returns the receiver's id of the message with the previous notification of the same firing, or nil if unknown.
    func previousMessage(before event: Event, at receiver: String) -> String?

    /// Returns the receiver's ids of the messages with critical alerts that these events end or repeat. Leaves out
    /// messages that another alert keeps open: one that is firing and about which nothing was notified since.
    func endedMessages(by events: [Event], at receiver: String) -> [String]

    /// Returns the severities, other than that of the event, with which the firing was notified before. A reload may
    /// have changed them.
    func formerSeverities(of event: Event) -> [Severity]

    /// Returns the prices that a receiver does not have yet.
    ///
    /// - Parameters:
    ///   - symbols: The markets, or nil for the markets with rules.
    ///   - positions: The time up to which the receiver has the prices of each source. For sources that are missing,
    ///     only the newest prices are sent.
    ///   - limit: The approximate maximum number of samples.
    /// - Returns: The prices, oldest first.
    func prices(of symbols: [SymbolPattern]?, after positions: [SourceName: WallTime], limit: Int) -> PriceBatch

    /// Returns the time of the last usable response of each source.
    func polledThrough() -> [SourceName: WallTime]

    /// Returns the text with which the failure of a receiver was last reported, or nil if it has recovered since.
    func openFailure(of receiver: String) -> String?
}

/// A recorder of the results of deliveries. A recorder is never called during a commit, because recording commits as
/// well.
@LoopActor
package protocol NotificationRecorder: AnyObject {
    /// Saves the changes of the queues: before and after each attempt, and after events have expired. The changes
    /// survive a crash, but not a loss of power.
    func save(_ changes: QueueChanges)

    /// Reports that a receiver failed or recovered.
    func report(_ kind: EventKind, of receiver: String, _ text: String)
}

/// The environment of deliveries: clock, credentials, network clients and random numbers.
package struct NotificationEnvironment: Sendable {
    package var clock: any TimeSource
    package var credentials: Credentials
    /// The daemon's own proxy, or nil without one.
    package var proxy: ProxyAddress?
    package var userAgent: String
    /// Creates the clients for requests.
    package var client: @LoopActor @Sendable (HTTPConfiguration) -> any NotificationSending
    /// The source of the jitter of retries.
    package var random: any RandomNumberGenerator & Sendable
    /// Returns a function that converts times to local time in the given zone, or in the machine's zone if it is nil.
    package var localMinutes: @LoopActor @Sendable (_ zone: String?) -> QuietHours.LocalMinutes
    /// The interval at which firing alerts are sent again. The default is that of Prometheus.
    package var reminderPeriod: Duration

    package init(
        clock: any TimeSource, credentials: Credentials = Credentials(folder: nil), proxy: ProxyAddress? = nil,
        userAgent: String = "alertd",
        client: @escaping @LoopActor @Sendable (HTTPConfiguration) -> any NotificationSending = { HTTPClient($0) },
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        localMinutes: @escaping @LoopActor @Sendable (_ zone: String?) -> QuietHours.LocalMinutes = { _ in
            { _ in 720 }
        }, reminderPeriod: Duration = .seconds(60)
    ) {
        self.clock = clock
        self.credentials = credentials
        self.proxy = proxy
        self.userAgent = userAgent
        self.client = client
        self.random = random
        self.localMinutes = localMinutes
        self.reminderPeriod = reminderPeriod
    }
}

extension NotificationEnvironment {
    /// Returns the addresses of a receiver, with its current secrets.
    ///
    /// - Throws: ``ReceiverFault`` if a credential is missing or cannot be used.
    func target(of receiver: Receiver) throws(ReceiverFault) -> ReceiverTarget {
        var urls = receiver.urls
        if let name = receiver.urlCredential { urls = [try secret(name)] }
        let credential: String? = if let name = receiver.credential { try secret(name) } else { nil }
        return ReceiverTarget(receiver, urls: urls, credential: credential)
    }

    /// Returns the reason why a receiver could not send now, such as a missing credential, or nil if it could.
    func fault(of receiver: Receiver) -> String? {
        do throws(ReceiverFault) {
            _ = try target(of: receiver).format()
            _ = try proxy(of: receiver)
            return nil
        } catch {
            return error.text
        }
    }

    /// Returns the client of a receiver.
    ///
    /// - Throws: ``ReceiverFault`` if the credential with its proxy is missing or cannot be used.
    @LoopActor
    func client(for receiver: Receiver) throws(ReceiverFault) -> any NotificationSending {
        var configuration = HTTPConfiguration(userAgent: userAgent)
        configuration.authorityFile = receiver.authorityFile
        configuration.allowsPlainHTTP = receiver.allowsPlainHTTP
        configuration.connectLimit = .seconds(5)
        configuration.totalLimit = .seconds(15)
        // Services answer with less than a kilobyte.
        configuration.bodyLimitBytes = 64 << 10
        configuration.proxy = try proxy(of: receiver)
        return client(configuration)
    }

    private func proxy(of receiver: Receiver) throws(ReceiverFault) -> ProxyAddress? {
        guard let name = receiver.proxyCredential else { return proxy }
        guard let address = ProxyAddress(try secret(name)) else {
            throw ReceiverFault(text: "the credential '\(name)' is not the address of a proxy")
        }
        return address
    }

    func secret(_ name: String) throws(ReceiverFault) -> String {
        do throws(CredentialError) {
            guard let secret = try credentials.secret(name) else {
                throw CredentialError(name: name, reason: "the service manager passed no such credential")
            }
            return secret.reveal()
        } catch {
            throw ReceiverFault(text: error.description)
        }
    }
}
