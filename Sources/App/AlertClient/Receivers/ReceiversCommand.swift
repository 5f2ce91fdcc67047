internal import Arguments
internal import Control
internal import Diagnostics
internal import Receivers

/// `alertctl receivers list|add|remove|test|preview|queue`: shows, changes and tests the receivers of notifications,
/// and manages their queues.
enum ReceiversCommand: Command {
    static let specification = CommandLineSpecification(
        "receivers", summary: "Show, add and remove receivers of notifications, and manage their queues",
        discussion: [
            "Receivers are declared in the settings: webhooks, ntfy, email and others. Each has a queue that survives "
                + "restarts; failed deliveries are retried.",
            "Only root, the daemon's own user and members of the group alertd-admin may send tests and change queues; "
                + "everyone may view them.",
        ],
        examples: [
            Example("alertctl receivers", "Is every notification delivered?"),
            Example("alertctl receivers test phone", "Send a test to one receiver, and show its answer."),
            Example("alertctl receivers preview phone", "What would be sent?"),
            Example("sudo alertctl receivers add telegram", "Asks for what is needed, and sends a test."),
        ], commands: [list, add, remove, test, preview, queue], hints: ["create": "alertctl receivers add"])

    private static let receiver = OperandSpecification(
        "RECEIVER", kind: .live("receivers"), help: "The name of a receiver")

    private static let list = CommandLineSpecification(
        "list", aliases: ["ls"], summary: "List receivers and their state")
    private static let config = OptionSpecification(
        "config", value: "FILE", kind: .file, help: "The main settings file (default: that of the running daemon)")
    private static let add = CommandLineSpecification(
        "add", summary: "Add a receiver to the settings, store its secret, and send a test",
        discussion: [
            "TYPE is a type of receiver (\(ReceiverKind.allCases.map(\.rawValue).joined(separator: ", "))), or a "
                + "service that gets a webhook (\(ReceiverPreset.all.map(\.name).joined(separator: ", "))). On a "
                + "terminal, it asks for what the type needs and is missing, and says where one gets it. Each answer "
                + "is checked before the next question. Otherwise, give it with --set and --secret-stdin.",
            "Writes conf.d/receiver-NAME.toml next to the main settings file. A secret is stored as the credential "
                + "receiver-NAME of the service, like those of 'alertctl credential set', and the service is "
                + "restarted; without a secret, the settings are reloaded. Then a test is sent. The exit code is 1 if "
                + "it failed; the receiver stays.",
            "The credentials of the service are for the settings in /etc/alertd only. For another daemon, the settings "
                + "name the credential, and you pass it to that daemon yourself.",
            "This needs write access to the settings, and root for a secret.",
        ],
        examples: [
            Example("sudo alertctl receivers add ntfy phone", "Asks for the address and the token."),
            Example("sudo alertctl receivers add teams", "A channel of Microsoft Teams."),
            Example(
                "pass show bot | sudo alertctl receivers add telegram --set chat=123456789 --secret-stdin",
                "In a script."),
        ],
        options: [
            OptionSpecification(
                "set", value: "KEY=VALUE", help: "Set a key of the receiver; may be given several times",
                details: "The keys are those of [[receiver]] in alertd.toml(5). Lists are written with commas. "
                    + "credential=NAME or url_credential=NAME uses a credential that exists."),
            OptionSpecification("secret-stdin", help: "Read the secret from standard input, without any question"),
            OptionSpecification("force", help: "Replace the receiver and its credential if they exist"),
            OptionSpecification("no-test", help: "Do not send a test"),
            OptionSpecification("dry-run", help: "Check and show the settings, but do not change anything"),
            config,
        ],
        operands: [
            OperandSpecification("TYPE", kind: .oneOf(ReceiverChoice.names), help: "What kind of receiver"),
            OperandSpecification("NAME", isOptional: true, help: "Its name (default: that of the type)"),
        ])
    private static let remove = CommandLineSpecification(
        "remove", aliases: ["rm", "delete"], summary: "Remove a receiver that was added with 'add', and its secret",
        discussion: [
            "Removes conf.d/receiver-NAME.toml and the credential that was stored with it, unless something else needs "
                + "it, and reloads the settings or restarts the service. Nothing is removed while a rule names the "
                + "receiver. For a receiver from another file, it says which file to edit."
        ],
        examples: [Example("sudo alertctl receivers remove phone", "Its queue is dropped.")],
        options: [config], operands: [receiver])
    private static let test = CommandLineSpecification(
        "test", summary: "Send a test event to one receiver, and report its answer", operands: [receiver])
    private static let preview = CommandLineSpecification(
        "preview", summary: "Show the request that a receiver would be sent, without sending it",
        discussion: [
            "Shows method, address, headers and body for a made-up event, as the settings files are now. Instead of a "
                + "secret, the name of its credential is shown. No daemon is needed."
        ],
        examples: [
            Example("alertctl receivers preview chat", "A fired alert."),
            Example("alertctl receivers preview chat --kind group", "Several events in one notification."),
        ],
        options: [
            OptionSpecification(
                "kind", value: "KIND", kind: .oneOf(ReceiverPreview.kinds),
                help: "The kind of event (default: fired); group for several"),
            config,
        ], operands: [receiver])
    private static let queue = CommandLineSpecification(
        "queue", summary: "List, retry or drop the events that wait for a receiver",
        examples: [
            Example("alertctl receivers queue phone", "What is waiting?"),
            Example("alertctl receivers queue drop phone", "Discard what could not be delivered."),
        ], operands: [receiver], commands: [retry, drop])
    private static let retry = CommandLineSpecification(
        "retry", summary: "Retry queued notifications now",
        operands: [
            OperandSpecification(
                "RECEIVER", kind: .live("receivers"), isOptional: true, help: "The name of a receiver; all if absent")
        ])
    private static let drop = CommandLineSpecification(
        "drop", summary: "Discard the notifications that are queued for a receiver",
        operands: [receiver])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        let name = context.arguments.operands.first
        switch context.arguments.path.last {
        case "add":
            var addition = try ReceiverAddition(context)
            return try addition.run()
        case "remove": return try ReceiverRemoval(context).run()
        case "test": return try test(context, name ?? "")
        case "preview": try ReceiverPreview(context, name ?? "").show()
        case "queue": try showQueue(context, name ?? "")
        case "retry":
            _ = try context.connect().call(.retryQueue, RetryQueueParameters(receiver: name), returning: Nothing.self)
            context.show(
                Report(parts: [
                    .text("Trying again; 'alertctl receivers' shows the result.", .none),
                    .metadata([Field("receiver", .text(name))]),
                ]))
        case "drop": try dropQueue(context, name ?? "")
        default: return try show(context)
        }
        return .success
    }

    private static func test(_ context: Context, _ name: String) throws(ClientError) -> ExitCode {
        do throws(ClientError) {
            return try DrillCommand.run(context, sink: name)
        } catch {
            guard case .noSuchThing(var what) = error, what.kind == .sink,
                let reply = try? context.connect().call(.listReceivers, Nothing(), returning: ListReceiversReply.self)
            else { throw error }
            // The user asked for a receiver, so suggest receivers and no other sinks.
            let names = reply.receivers.map(\.name)
            what.kind = .receiver
            (what.known, what.suggestion) = (names, nearest(to: name, among: names))
            throw .noSuchThing(what)
        }
    }

    private static func show(_ context: Context) throws(ClientError) -> ExitCode {
        let reply = try context.connect().call(.listReceivers, Nothing(), returning: ListReceiversReply.self)
        let columns = [
            Column("name", "NAME"), Column("type", "TYPE"), Column("state", "STATE"),
            Column("queued", "QUEUED", isNumeric: true), Column("oldest", nil),
            Column("delivered", "DELIVERED", isNumeric: true), Column("refused", nil), Column("expired", nil),
            Column("dropped", nil), Column("last_success", "LAST SUCCESS", rank: 1),
            Column("last_failure", "LAST FAILURE", rank: 2), Column("next_attempt", "NEXT TRY", rank: 1),
            Column("message", "MESSAGE"),
        ]
        context.show(
            Report(parts: [
                .table(
                    Table(
                        key: "receivers", columns: columns, rows: reply.receivers.map { row($0, context.formatter) },
                        whenEmpty: "No receivers; see [[receiver]] in alertd.toml(5)."))
            ]))
        return .success
    }

    private static func row(_ receiver: ReceiverStatus, _ formatter: HumanFormatter) -> [Cell] {
        let emphasis: Emphasis = receiver.state == .ok ? .good : .alarm
        return [
            Cell(.text(receiver.name), .strong), Cell(.text(receiver.type)), Cell(.text(receiver.state), emphasis),
            Cell(.count(receiver.queued)), Cell(.time(receiver.oldest)), Cell(.count(receiver.delivered)),
            Cell(.count(receiver.refused)), Cell(.count(receiver.expired)), Cell(.count(receiver.dropped)),
            Cell(.time(receiver.lastSuccess)), Cell(.time(receiver.lastFailure)), Cell(.time(receiver.nextAttempt)),
            Cell(.text(receiver.message), human: message(of: receiver)),
        ]
    }

    /// Returns the last failure and the number of events that were never sent because they became too old.
    private static func message(of receiver: ReceiverStatus) -> String? {
        let expired = receiver.expired > 0 ? "\(counted(receiver.expired, "event")) not sent within max_age" : nil
        let parts = [receiver.message.map { visible($0) }, expired].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private static func showQueue(_ context: Context, _ name: String) throws(ClientError) {
        let connection = try context.connect()
        let reply = try connection.call(
            .listQueue, ListQueueParameters(receiver: name), returning: ListQueueReply.self)
        let texts = try texts(of: reply.entries.map(\.number), connection)
        let rows = reply.entries.map { entry in
            [
                Cell(.count(entry.number), human: "\(entry.number)", .strong), Cell(.time(entry.time)),
                Cell(.text(texts[entry.number])),
            ]
        }
        var text = Column("text", "TEXT")
        text.wraps = true
        let columns = [Column("number", "#", isNumeric: true), Column("time", "TIME"), text]
        let rest = reply.count - reply.entries.count
        context.show(
            Report(
                parts: [
                    .metadata([Field("count", .count(reply.count))]),
                    .table(
                        Table(
                            key: "entries", columns: columns, rows: rows, whenEmpty: "Nothing waits for \(name).")),
                ] + (rest > 0 ? [.text("… and \(rest) more.", .muted)] : [])))
    }

    /// Returns the texts of events by number; events that are no longer stored are absent.
    private static func texts(
        of numbers: [Int], _ connection: any ControlConnection
    ) throws(ClientError) -> [Int: String] {
        guard let first = numbers.min(), let last = numbers.max() else { return [:] }
        var found: [Int: String] = [:]
        var after = first - 1
        while after < last {
            let range = ListEventsParameters(after: after, before: last + 1)
            let events = try connection.call(.listEvents, range, returning: ListEventsReply.self).events
            guard let end = events.last?.number, end > after else { break }
            for event in events { found[event.number] = event.text }
            after = end
        }
        return found
    }

    private static func dropQueue(_ context: Context, _ name: String) throws(ClientError) {
        let reply = try context.connect().call(
            .dropQueue, DropQueueParameters(receiver: name), returning: DropQueueReply.self)
        context.show(
            Report(parts: [
                .text("\(counted(reply.dropped, "notification")) dropped.", .none),
                .metadata([Field("dropped", .count(reply.dropped))]),
            ]))
    }
}
