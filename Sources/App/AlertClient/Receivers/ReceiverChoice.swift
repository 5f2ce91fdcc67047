internal import Configuration
internal import Diagnostics
internal import Receivers

/// What `alertctl receivers add` can add: a type of receiver, or a webhook for a service that has no type.
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

    /// What a receiver is called without a name of its own.
    var standardName: String { String(name.map { $0 == "_" ? "-" : $0 }) }

    /// Whether it gets prices, for which there is no test.
    var sendsPrices: Bool {
        if case .type(let kind) = self { kind.profile.sendsPrices } else { false }
    }

    /// Where one gets what it needs, and what else one has to know.
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

    // MARK: What it needs

    struct Question {
        /// The key of the answer.
        var key: String
        var text: String
        /// What an answer looks like.
        var example: String?
        var isRequired: Bool

        var prompt: String {
            let hints = [example.map { "such as \($0)" }, isRequired ? nil : "Enter for none"].compactMap(\.self)
            return text + (hints.isEmpty ? "" : " (\(hints.joined(separator: "; ")))") + ": "
        }
    }

    /// What is asked for besides secrets, in this order.
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
        /// The key that names its credential.
        var key: String
        /// What it is: `the bot's token`.
        var content: String
        var isAddress: Bool
        var isRequired: Bool
    }

    /// The secret that it needs or may have; nil for none.
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
                // A login has both, and a server without one has neither.
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
