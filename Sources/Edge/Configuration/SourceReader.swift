internal import Market
internal import PriceSources

/// A reader of the `[[source]]` tables.
struct SourceReader {
    /// The maximum number of sources. Each has an engine with up to 20,000 symbols and a response of up to 16 MiB in
    /// memory.
    static let limit = 8

    let context: FileContext

    /// Returns the sources in file order, and reports everything that is wrong as findings.
    func sources(_ entry: TOMLEntry) -> [FeedSettings] {
        guard case .array(let elements) = entry.node.value else {
            context.wrongShape(entry, of: .source)
            return []
        }
        if elements.count > Self.limit {
            context.error(entry.keyPosition, "more than \(Self.limit) sources", advice: "remove some")
        }
        var sources: [Located<FeedSettings>] = []
        for element in elements.prefix(Self.limit) {
            guard case .table(let entries) = element.value else {
                context.error(
                    element.position, "a source must be a table, but is \(element.value.kindName)",
                    advice: "write [[source]] on a line of its own, followed by its keys")
                continue
            }
            let table = TableReader(entries, of: .source, in: context)
            var source = FeedSettings(reading: table, typeKey: "type")
            source.isListed = true
            if let name = table.sourceName("name", example: "\"\(source.name)\"") { source.name = name.value }
            check(source, at: table.node("name")?.position ?? element.position, among: sources)
            sources.append(Located(value: source, position: element.position))
        }
        return sources.map(\.value)
    }

    private func check(_ source: FeedSettings, at position: TextPosition, among others: [Located<FeedSettings>]) {
        if let other = others.first(where: { $0.value.name == source.name }) {
            context.error(
                position, "a source named \"\(source.name)\" already exists at \(context.name(of: other.position))",
                advice: "give one of them another `name`")
        }
        if let first = others.first?.value, first.source.profile.isSimulated != source.source.profile.isSimulated {
            context.error(
                position, "a simulated market cannot be combined with real sources",
                advice: "their events would be mistaken for each other; run a second daemon for one of them")
        }
    }
}

extension TableReader {
    /// Reads the name of a source.
    func sourceName(_ key: String, example: String) -> Located<SourceName>? {
        guard let text = text(key, example: example) else { return nil }
        guard let name = SourceName(text.value) else {
            context.error(
                text.position, "\"\(text.value)\" is not the name of a source",
                advice: "use 1 to \(SourceName.longest) characters a–z, 0–9, - and _")
            return nil
        }
        return Located(value: name, position: text.position)
    }
}
