package import EventLoop
package import Events
package import HTTP
package import Market
package import NATS
package import Receivers
package import ServiceManager
package import Time

/// What sends requests and mails; tests implement it without a network.
@LoopActor
package protocol NotificationSending: AnyObject {
    /// Makes a request.
    ///
    /// - Returns: the response, whatever its status.
    /// - Throws: ``HTTPError`` when no complete response came.
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse
    /// Hands a mail to its server.
    ///
    /// - Returns: what the server replied.
    /// - Throws: ``HTTPError`` when there was no conversation with the server.
    func send(_ mail: OutgoingMail) async throws(HTTPError) -> MailReply
    /// Sends messages to a NATS server.
    ///
    /// - Returns: a reply for each.
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

    /// Hands messages to a stream.
    ///
    /// - Returns: 200 if it has stored every message; else a status that says what is wrong, with a text.
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

/// What delivering asks of the daemon, without changing anything.
@LoopActor
package protocol NotificationHost: AnyObject {
    /// The texts at this moment, in the current display currency.
    var composer: NotificationComposer { get }

    /// The events with these numbers, ascending; those that no longer exist are missing.
    func events(numbered numbers: [Int64]) -> [Event]

    /// What fires and was notified, each alert once, as it is now; reports of the daemon that have not ended as well.
    func firingEvents() -> [Event]

    /// The notified events that ended something at that time or later.
    func ends(since time: WallTime) -> [Event]

    /// The ends of the last day that a silence held back and that no later event reports, because the rule ended as
    /// well; none that a silence still matches. They are marked as notified.
    func suppressedEnds() -> [Event]

    /// The receivers that were notified of the firings that these events end, by the numbers of the events. An event of
    /// which that is not known is missing.
    func receiversOfFirings(endedBy ends: [Event]) -> [Int64: Set<String>]

    /// What a receiver calls the message with the previous notification of the same firing; nil if it is not known.
    func previousMessage(before event: Event, at receiver: String) -> String?

    /// What a receiver calls the messages that had critical alerts which these events end or repeat, without those that
    /// another alert keeps open: one that fires, and of which nothing was notified since.
    func endedMessages(by events: [Event], at receiver: String) -> [String]

    /// The severities, other than that of the event, with which the firing was notified that goes on or ends: a reload
    /// may have changed them.
    func formerSeverities(of event: Event) -> [Severity]

    /// The prices after those that a receiver has.
    ///
    /// - Parameters:
    ///   - symbols: the markets; those with rules when nil.
    ///   - positions: until when it has the prices of each source; of those that are missing, only the newest are sent.
    ///   - limit: the most samples, roughly.
    /// - Returns: the prices, oldest first.
    func prices(of symbols: [SymbolPattern]?, after positions: [SourceName: WallTime], limit: Int) -> PriceBatch

    /// The time of the last usable response of each source.
    func polledThrough() -> [SourceName: WallTime]

    /// The text with which the failure of a receiver was last reported; nil if it has recovered since.
    func openFailure(of receiver: String) -> String?
}

/// What takes down how deliveries go. It is never called while events are being committed, as that commits as well.
@LoopActor
package protocol NotificationRecorder: AnyObject {
    /// Saves the queues: before the first attempt of a batch, and after the last one. It survives a crash, but not a
    /// loss of power.
    func save(_ changes: QueueChanges)

    /// A receiver failed or recovered.
    func report(_ kind: EventKind, of receiver: String, _ text: String)
}

/// What delivering needs of the machine.
package struct NotificationEnvironment: Sendable {
    package var clock: any TimeSource
    package var credentials: Credentials
    /// The daemon's own proxy; nil without one.
    package var proxy: ProxyAddress?
    package var userAgent: String
    /// Makes the clients for requests.
    package var client: @LoopActor @Sendable (HTTPConfiguration) -> any NotificationSending
    /// Where the jitter of retries comes from.
    package var random: any RandomNumberGenerator & Sendable
    /// The minute of the day that the clock on the wall shows: 0 to 1,439.
    package var minuteOfDay: @Sendable (WallTime) -> Int
    /// How often firing alerts are sent again; by default as often as Prometheus does.
    package var reminderPeriod: Duration

    package init(
        clock: any TimeSource, credentials: Credentials = Credentials(folder: nil), proxy: ProxyAddress? = nil,
        userAgent: String = "alertd",
        client: @escaping @LoopActor @Sendable (HTTPConfiguration) -> any NotificationSending = { HTTPClient($0) },
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        minuteOfDay: @escaping @Sendable (WallTime) -> Int = { _ in 720 }, reminderPeriod: Duration = .seconds(60)
    ) {
        self.clock = clock
        self.credentials = credentials
        self.proxy = proxy
        self.userAgent = userAgent
        self.client = client
        self.random = random
        self.minuteOfDay = minuteOfDay
        self.reminderPeriod = reminderPeriod
    }
}

extension NotificationEnvironment {
    /// Where a receiver sends, with its secrets as they are now.
    ///
    /// - Throws: ``ReceiverFault`` when a credential is missing or cannot be used.
    func target(of receiver: Receiver) throws(ReceiverFault) -> ReceiverTarget {
        var urls = receiver.urls
        if let name = receiver.urlCredential { urls = [try secret(name)] }
        let credential: String? = if let name = receiver.credential { try secret(name) } else { nil }
        return ReceiverTarget(receiver, urls: urls, credential: credential)
    }

    /// Why a receiver could not send now: a credential is missing or cannot be used; nil if it could.
    func fault(of receiver: Receiver) -> String? {
        do throws(ReceiverFault) {
            _ = try target(of: receiver).format()
            _ = try proxy(of: receiver)
            return nil
        } catch {
            return error.text
        }
    }

    /// The client of a receiver.
    ///
    /// - Throws: ``ReceiverFault`` when the credential with its proxy is missing or cannot be used.
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
