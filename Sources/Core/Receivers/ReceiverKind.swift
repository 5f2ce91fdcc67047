internal import Time

/// What a receiver is: the value of `type` in `[[receiver]]`. The one list of receivers.
package enum ReceiverKind: String, CaseIterable, Sendable {
    case webhook
    case ntfy
    case gotify
    case email
    case telegram
    case matrix
    case slack
    case discord
    case pushover
    case alertmanager
    case nats
    case remoteWrite = "remote_write"
}

extension ReceiverKind {
    /// All types as they are written in settings: `webhook, ntfy … and alertmanager`.
    package static var names: String {
        let names = allCases.map(\.rawValue)
        return "\(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")"
    }

    /// What settings of this type have, and how much the service takes.
    package var profile: ReceiverProfile {
        switch self {
        case .webhook:
            ReceiverProfile(
                address: .webAddress(nil), example: "https://example.org/alerts",
                credential: .optional("a signing secret: whsec_ and base64"),
                eventsPerRequest: 25, perMinute: nil, isForPeople: false)
        case .ntfy:
            ReceiverProfile(
                address: .webAddress(nil), example: "https://ntfy.sh/my-topic",
                credential: .optional("an access token, or USER:PASSWORD"), notes: "The address ends with the topic.",
                perMinute: 20)
        case .gotify:
            ReceiverProfile(
                address: .webAddress(nil), example: "https://gotify.example.org",
                credential: .required("the token of an application"),
                notes: "The address is that of the server.", perMinute: 60)
        case .email:
            ReceiverProfile(
                address: .mailServer, example: "smtp://mail.example.org:587",
                credential: .optional("the password of `user`"),
                required: [.from, .to], optional: [.user], perMinute: 10)
        case .telegram:
            ReceiverProfile(
                address: .webAddress("https://api.telegram.org"), example: "https://api.telegram.org",
                credential: .required("the bot's token"),
                required: [.chat], optional: [.thread], perMinute: 20, hasReplies: true)
        case .matrix:
            ReceiverProfile(
                address: .webAddress(nil), example: "https://matrix.example.org",
                credential: .required("an access token"), required: [.room],
                notes: "The address is that of the home server; the room must not be encrypted.", perMinute: 20)
        case .slack:
            ReceiverProfile(
                address: .secretAddress, example: "https://example.org/alerts", credential: .none, perMinute: 30)
        case .discord:
            ReceiverProfile(
                address: .secretAddress, example: "https://example.org/alerts", credential: .none, perMinute: 20,
                hasReplies: true)
        case .pushover:
            ReceiverProfile(
                address: .webAddress("https://api.pushover.net"), example: "https://api.pushover.net",
                credential: .required("the application's token"), required: [.user],
                notes: "`user` is the user key.", perMinute: 20)
        case .alertmanager:
            ReceiverProfile(
                address: .webAddresses, example: "http://127.0.0.1:9093",
                credential: .optional("a bearer token, or USER:PASSWORD"),
                eventsPerRequest: 64, perMinute: nil, isForPeople: false, needsReminders: true)
        case .nats:
            ReceiverProfile(
                address: .natsServers, example: "nats://127.0.0.1:4222",
                credential: .optional("a token, or USER:PASSWORD"), optional: [.subject], eventsPerRequest: 64,
                perMinute: nil, isForPeople: false)
        case .remoteWrite:
            ReceiverProfile(
                address: .webAddress(nil), example: "http://127.0.0.1:9090/api/v1/write",
                credential: .optional("a bearer token, or USER:PASSWORD"),
                optional: [.instance], notes: "It gets prices instead of events.", eventsPerRequest: 64, perMinute: nil,
                isForPeople: false, sendsPrices: true)
        }
    }
}

/// What settings of one type of receiver have, and how much the service takes.
package struct ReceiverProfile: Sendable {
    /// Where notifications go.
    package enum Address: Equatable, Sendable {
        /// `url`, with a default for a service that has one address; or `url_credential`.
        case webAddress(String?)
        /// `url`, or `urls` for several servers, each of which gets everything.
        case webAddresses
        /// `url_credential` only: whoever knows the address can use it.
        case secretAddress
        /// `url` is `smtp://…` or `smtps://…`.
        case mailServer
        /// `url`, or `urls` for the servers of one cluster: `nats://…` or `tls://…`.
        case natsServers
    }

    /// What the credential contains, for messages.
    package enum CredentialUse: Equatable, Sendable {
        case none
        case optional(String)
        case required(String)
    }

    /// The keys that only some types have.
    package enum Key: String, CaseIterable, Sendable {
        case from
        case to
        case user
        case chat
        case thread = "message_thread_id"
        case room
        case subject
        case instance
    }

    /// Which keys of the settings say where it is.
    package var address: Address
    /// An address, for advice.
    package var example: String
    package var credential: CredentialUse
    /// The keys without which settings of this type are faulty.
    package var required: [Key] = []
    package var optional: [Key] = []
    /// What else its settings need to be known, in whole sentences; for documentation.
    package var notes = ""
    /// How many events one request carries, all in full; nil for a text that sums up any number.
    package var eventsPerRequest: Int?
    /// The default of `per_minute`; nil for no limit.
    package var perMinute: Int?
    /// Whether people read it: an alert's end is then part of its text, and quiet hours make sense.
    package var isForPeople = true
    /// Whether a message can refer to an earlier one: be a reply to it, or change it.
    package var hasReplies = false
    /// Whether it forgets what fires, so that it is sent again from time to time.
    package var needsReminders = false
    /// Whether it gets prices instead of events.
    package var sendsPrices = false
}

extension ReceiverProfile {
    /// What the settings of the type have, in whole sentences.
    package var description: String {
        let required = keys(self.required).map { "It needs \($0)." }
        let optional = keys(self.optional).map { "\($0) is optional." }
        return [addressText, credentialText, required, optional, notes.isEmpty ? nil : notes].compactMap(\.self)
            .joined(separator: " ")
    }

    private var addressText: String {
        switch address {
        case .webAddress(let standard?): "`url` is `\(standard)` by default."
        case .webAddress(nil): "`url` is the address, such as `\(example)`; or `url_credential` names it."
        case .webAddresses:
            "`url` is the address, such as `\(example)`; or `urls` are several, each of which gets everything."
        case .secretAddress: "`url_credential` names the address, which is a secret."
        case .mailServer: "`url` is the server, such as `\(example)`, or with `smtps://`."
        case .natsServers: "`url` is the server, such as `\(example)`; or `urls` are those of one cluster."
        }
    }

    private var credentialText: String? {
        switch credential {
        case .none: nil
        case .optional(let content): "`credential`, if given, names \(content)."
        case .required(let content): "`credential` names \(content)."
        }
    }

    /// The keys for a text: `` `from` and `to` ``; nil for none.
    private func keys(_ keys: [Key]) -> String? {
        keys.isEmpty ? nil : keys.map { "`\($0.rawValue)`" }.joined(separator: " and ")
    }
}
