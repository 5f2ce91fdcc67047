internal import Arguments
internal import Configuration
internal import Control
internal import Diagnostics
internal import Market

/// The user's favourite symbols, from a file with one symbol per line.
struct Favourites {
    /// Size limit of the file: 1,000 × 128 bytes.
    private static let fileLimit = 128_000

    private(set) var symbols: [String] = []

    /// Reads the file; if it does not exist, there are no favourites.
    ///
    /// - Throws: ``ClientError/file(_:)`` if it exists and cannot be read.
    init(_ environment: ClientEnvironment) throws(ClientError) {
        guard let path = environment.userFolder.map({ "\($0)/favourites" }) else { return }
        switch environment.files.contents(of: path, limit: Self.fileLimit) {
        case .missing: return
        case .failed(let reason, _): throw .file("\(path): \(reason)")
        case .found(let bytes):
            let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            for line in lines {
                let name = line.trimmed.lowercased()
                if Symbol(SourcedText(name).symbol) != nil, !symbols.contains(name) { symbols.append(name) }
            }
        }
    }

    /// Reads, changes and writes the file while other commands are locked out.
    ///
    /// - Returns: the new list.
    static func update(
        _ environment: ClientEnvironment, _ change: ([String]) -> [String]
    ) throws(ClientError) -> [String] {
        guard let path = environment.userFolder.map({ "\($0)/favourites" }) else {
            throw .file("there is no home folder for the favourites")
        }
        let lock = UserFile.lock(path)
        defer { withExtendedLifetime(lock) {} }
        let symbols = change(try Favourites(environment).symbols)
        try UserFile.replace(path, Array(symbols.map { $0 + "\n" }.joined().utf8))
        return symbols
    }

    /// Checks that the daemon lists a symbol, because one that it does not list is probably mistyped.
    ///
    /// - Throws: ``ClientError/noSuchSymbol(_:)`` if it does not; another ``ClientError`` if it does not answer.
    static func checkListed(_ name: String, _ connection: any ControlConnection) throws(ClientError) {
        _ = try connection.call(.getSymbol, GetSymbolParameters(symbol: name), returning: GetSymbolReply.self)
    }

    /// Returns the list with a symbol added or removed. The symbol has a source prefix if there are several sources. A
    /// favourite without a source means the symbol in every source.
    static func changed(_ names: some Sequence<String>, _ name: String, isOn: Bool) -> [String] {
        let asked = SourcedText(name)
        let others = names.filter { other in
            let other = SourcedText(other)
            guard other.symbol == asked.symbol else { return true }
            guard !isOn, other.source == nil || asked.source == nil else { return other.source != asked.source }
            return false
        }
        return isOn ? others + [name] : others
    }
}

extension Substring {
    /// The text without leading and trailing blanks.
    fileprivate var trimmed: Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        return start.prefix(start.count - start.reversed().prefix { $0 == " " || $0 == "\t" }.count)
    }
}

/// `alertctl favourites`: lists and changes the favourite symbols.
enum FavouritesCommand: Command {
    static let specification = CommandLineSpecification(
        "favourites", aliases: ["favorites"], summary: "List or change your favourite symbols",
        discussion: [
            "Favourites are marked in 'alertctl watch', and 'alertctl list --favourites' lists only them. They are "
                + "kept in ~/.config/alertctl/favourites, one name per line."
        ],
        examples: [
            Example("alertctl favourites", "List them."),
            Example("alertctl favourites add btcinr ethinr", "Add two."),
        ],
        commands: [
            CommandLineSpecification(
                "add", summary: "Add symbols; while the daemon runs, only those that are listed",
                operands: [
                    OperandSpecification("SYMBOL", kind: .live("symbols"), isRepeated: true, help: "Symbols to add")
                ]),
            CommandLineSpecification(
                "remove", aliases: ["rm", "delete"], summary: "Remove symbols",
                operands: [
                    OperandSpecification(
                        "SYMBOL", kind: .live("symbols"), isRepeated: true, help: "Symbols to remove")
                ]),
        ])

    static func run(_ context: Context) throws(ClientError) -> ExitCode {
        var symbols = try Favourites(context.environment).symbols
        var names: [String] = []
        for text in context.arguments.operands {
            guard Symbol(SourcedText(text.lowercased()).symbol) != nil else {
                throw .usage("'\(visible(text))' is not a symbol")
            }
            names.append(text.lowercased())
        }
        switch context.arguments.path.last {
        case "add":
            try refuseUnlisted(names, context)
            symbols = try Favourites.update(context.environment) { old in old + names.filter { !old.contains($0) } }
        case "remove":
            for name in names where !symbols.contains(name) {
                context.warn("alertctl: '\(name)' is not among your favourites")
            }
            symbols = try Favourites.update(context.environment) { $0.filter { !names.contains($0) } }
        default: break
        }
        let table = Table(
            key: "favourites", columns: [Column("symbol", "SYMBOL")],
            rows: symbols.map { [Cell(.text($0))] },
            whenEmpty: "No favourites; 'alertctl favourites add btcinr' adds one.")
        context.show(Report(parts: [.table(table)]))
        return .success
    }

    /// Refuses symbols that the daemon does not know, which are probably mistyped. Without a daemon, all are accepted.
    private static func refuseUnlisted(_ names: [String], _ context: Context) throws(ClientError) {
        guard let connection = try? context.connect() else { return }
        for name in names {
            do throws(ClientError) {
                try Favourites.checkListed(name, connection)
            } catch {
                if case .noSuchSymbol = error { throw error }
            }
        }
    }
}
