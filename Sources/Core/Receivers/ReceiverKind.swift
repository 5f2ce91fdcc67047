internal import Time

/// The type of a receiver: the value of `type` in `[[receiver]]`. This is the only list of types.
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
    /// All types as written in settings: `webhook, ntfy … and remote_write`.
    package static var names: String {
        let names = allCases.map(\.rawValue)
        return "\(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")"
    }

    /// The settings of this type, and the limits of the service.
    package var profile: ReceiverProfile {
        switch self {
        case .webhook:
            ReceiverProfile(
                address: .webAddress(nil), example: "https://example.org/alerts",
                credential: .optional(
                    "a signing secret: whsec_ and base64; with `body` also a token, or USER:PASSWORD"),
                notes: "`body` is a template for services that want another text.", eventsPerRequest: 25,
                perMinute: nil, isForPeople: false)
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
                optional: [.instance], notes: "It receives prices instead of events.", eventsPerRequest: 64,
                perMinute: nil,
                isForPeople: false, sendsPrices: true)
        }
    }
}

extension ReceiverKind {
    /// Instructions for getting the address and the credential, in whole sentences.
    package var origin: String {
        switch self {
        case .webhook: "The service that receives the webhook shows its address."
        case .ntfy:
            "Choose a topic that nobody guesses, and subscribe to it in the ntfy app. A server with users gives access "
                + "tokens in its settings, Account, Access tokens."
        case .gotify: "In Gotify, open Apps, Create Application, and copy its token."
        case .email: "Your mail provider says the address of its server for sending (SMTP), usually with port 587."
        case .telegram:
            "In Telegram, send /newbot to @BotFather: it answers with the token. Then write to your bot, and open "
                + "https://api.telegram.org/botTOKEN/getUpdates: the number after \"chat\":{\"id\": is the chat."
        case .matrix:
            "In Element, the id of a room is in its settings, Advanced, and the access token of the sending user in "
                + "All settings, Help & About."
        case .slack: "On api.slack.com/apps, create an app, turn on Incoming Webhooks, and add one to a channel."
        case .discord: "In Discord, open the settings of the channel, Integrations, Webhooks, and copy its address."
        case .pushover: "On pushover.net, your user key is on the first page; Create an Application gives the token."
        case .alertmanager: "It is the address of your Alertmanager, as its web page has it."
        case .nats: "It is the address of your NATS server, with JetStream turned on."
        case .remoteWrite: "It is the address at which your Prometheus or VictoriaMetrics receives remote write."
        }
    }
}

extension ReceiverProfile.Key {
    /// The question that `receivers add` asks for the key.
    package var question: String {
        switch self {
        case .from: "Address of the sender"
        case .to: "Addresses of the recipients, with commas between them"
        case .user: "User name, or the user key of Pushover"
        case .chat: "Id of the chat, or @name of a channel"
        case .thread: "Id of the topic"
        case .room: "Id of the room, such as !abc:example.org"
        case .subject: "What subjects begin with"
        case .instance: "Label `instance` of prices"
        }
    }
}

/// The settings of one type of receiver, and the limits of the service.
package struct ReceiverProfile: Sendable {
    /// The form of the service's address.
    package enum Address: Equatable, Sendable {
        /// `url`, with a default if the service has a fixed address; or `url_credential`.
        case webAddress(String?)
        /// `url`, or `urls` for several servers, each of which gets all notifications.
        case webAddresses
        /// `url_credential` only, because anyone who knows the address can use it.
        case secretAddress
        /// `url` is `smtp://…` or `smtps://…`.
        case mailServer
        /// `url`, or `urls` for the servers of one cluster: `nats://…` or `tls://…`.
        case natsServers
    }

    /// The use of a credential, with a description of its content for messages.
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

    package var address: Address
    /// An example address, for advice.
    package var example: String
    package var credential: CredentialUse
    /// The keys that settings of this type must have.
    package var required: [Key] = []
    package var optional: [Key] = []
    /// Further notes about the settings, in whole sentences; for documentation.
    package var notes = ""
    /// Maximum number of events in one request, each in full; nil for a text that summarizes any number of events.
    package var eventsPerRequest: Int?
    /// The default of `per_minute`; nil for no limit.
    package var perMinute: Int?
    /// True if people read its messages, false for a program.
    package var isForPeople = true
    /// True if a message can reply to or edit an earlier one.
    package var hasReplies = false
    /// True if the service forgets firing alerts, so that they are sent again periodically.
    package var needsReminders = false
    /// True if it gets prices instead of events.
    package var sendsPrices = false
}

extension ReceiverProfile {
    /// The settings of the type, in whole sentences.
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
            "`url` is the address, such as `\(example)`; or `urls` are several, each of which receives everything."
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

    /// Formats keys as `` `from` and `to` ``; nil for none.
    private func keys(_ keys: [Key]) -> String? {
        keys.isEmpty ? nil : keys.map { "`\($0.rawValue)`" }.joined(separator: " and ")
    }
}
