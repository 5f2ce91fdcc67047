internal import Configuration
internal import Diagnostics
internal import Receivers

/// The choices of `alertctl receivers add`: a type of receiver, or a webhook preset for a service without a type.
enum ReceiverChoice {
    case type(ReceiverKind)
    case preset(ReceiverPreset)

    static let names = ReceiverKind.allCases.map(\.rawValue) + ReceiverPreset.all.map(\.name)

    init(named name: String) throws(ClientError) {
        if let kind = ReceiverKind(rawValue: name) {
            self = .type(kind)
        } else if let preset = ReceiverPreset.named(name) {
            self = .preset(preset)
        } else {
            throw .usage(
                "'\(visible(name))' is not a type of receiver; use one of: \(Self.names.joined(separator: ", "))")
        }
    }

    var name: String {
        switch self {
        case .type(let kind): kind.rawValue
        case .preset(let preset): preset.name
        }
    }

    /// The default name of a receiver.
    var standardName: String { String(name.map { $0 == "_" ? "-" : $0 }) }

    /// True if the receiver gets prices, for which there is no test.
    var sendsPrices: Bool {
        if case .type(let kind) = self { kind.profile.sendsPrices } else { false }
    }

    /// Sentences for the user: the place to get the address or token, and further notes.
    var advice: [String] {
        switch self {
        case .type(let kind): [kind.origin] + (kind.profile.notes.isEmpty ? [] : [kind.profile.notes])
        case .preset(let preset): [preset.origin] + (preset.notes.isEmpty ? [] : [preset.notes])
        }
    }

    func draft(_ name: String, comment: String) -> ReceiverDraft {
        switch self {
        case .type(let kind): ReceiverDraft(name, kind, comment: comment)
        case .preset(let preset): ReceiverDraft(name, preset, comment: comment)
        }
    }

    // MARK: Questions

    struct Question {
        /// The key that the answer sets.
        var key: String
        var text: String
        /// An example of an answer.
        var example: String?
        var isRequired: Bool

        var prompt: String {
            let hints = [example.map { "such as \($0)" }, isRequired ? nil : "Enter for none"].compactMap(\.self)
            return text + (hints.isEmpty ? "" : " (\(hints.joined(separator: "; ")))") + ": "
        }
    }

    /// The questions in the order in which they are asked. Secrets are not included.
    var questions: [Question] {
        guard case .type(let kind) = self else { return [] }
        let profile = kind.profile
        var questions: [Question] = []
        switch profile.address {
        case .webAddress(.some), .secretAddress: break
        case .webAddress(nil), .webAddresses, .mailServer, .natsServers:
            questions.append(Question(key: "url", text: "Address", example: profile.example, isRequired: true))
        }
        questions += profile.required.map { Question(key: $0.rawValue, text: $0.question, isRequired: true) }
        questions += profile.optional.map { Question(key: $0.rawValue, text: $0.question, isRequired: false) }
        return questions
    }

    struct Secret {
        /// The key whose value is the name of the credential.
        var key: String
        /// The description in prompts: `the bot's token`.
        var content: String
        var isAddress: Bool
        var isRequired: Bool
    }

    /// Returns the secret that the receiver needs or may have; nil if it has none.
    func secret(_ draft: ReceiverDraft) -> Secret? {
        guard case .type(let kind) = self else {
            return Secret(key: "url_credential", content: "the address", isAddress: true, isRequired: true)
        }
        if kind.profile.address == .secretAddress {
            return Secret(key: "url_credential", content: "the address", isAddress: true, isRequired: true)
        }
        switch kind.profile.credential {
        case .none: return nil
        case .required(let content):
            return Secret(key: "credential", content: content, isAddress: false, isRequired: true)
        case .optional:
            if kind == .email {
                // A mail server with a login needs a user and a password; without a login, it needs neither.
                guard draft.has("user") else { return nil }
                return Secret(key: "credential", content: "the password", isAddress: false, isRequired: true)
            }
            let content = kind == .webhook ? "a signing secret, whsec_ and base64" : Self.content(of: kind)
            return Secret(key: "credential", content: content, isAddress: false, isRequired: false)
        }
    }

    private static func content(of kind: ReceiverKind) -> String {
        if case .optional(let content) = kind.profile.credential { content } else { "a secret" }
    }
}
