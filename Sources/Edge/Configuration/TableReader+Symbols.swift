internal import Market

extension TableReader {
    /// The maximum number of patterns. More patterns than an exchange has symbols are of no use.
    private static let maximumPatternCount = 1_000

    /// Reads a symbol or pattern, or a list of them. Returns nil if the key is absent. Faulty patterns are reported
    /// and left out.
    func patterns(_ key: String) -> [SymbolPattern]? {
        node(key).map { patterns(key, of: $0) }
    }

    func patterns(_ key: String, of node: TOMLNode) -> [SymbolPattern] {
        guard case .array(let elements) = node.value else { return [pattern(key, node)].compactMap(\.self) }
        guard (1...Self.maximumPatternCount).contains(elements.count) else {
            let fault = elements.isEmpty ? "is an empty list" : "lists more than \(Self.maximumPatternCount) symbols"
            context.error(
                node.position, "`\(key)` \(fault)", advice: "use patterns; \"*\" matches every symbol")
            return []
        }
        return elements.compactMap { pattern(key, $0) }
    }

    /// Returns the sources written before the symbols of a key: `kraken` in "kraken:btcusd".
    func sourcesOfSymbols(_ key: String) -> [Located<SourceName>] {
        guard let node = node(key) else { return [] }
        // A fast path: most rules have one symbol without a source.
        if case .string(let text) = node.value, SourcedText(text).source == nil { return [] }
        let elements: [TOMLNode] = if case .array(let elements) = node.value { elements } else { [node] }
        return elements.compactMap { element in
            guard case .string(let text) = element.value, let source = SourcedText(text).source else { return nil }
            return SourceName(source).map { Located(value: $0, position: element.position) }
        }
    }

    private func pattern(_ key: String, _ node: TOMLNode) -> SymbolPattern? {
        guard case .string(let text) = node.value else {
            wrongType(key, node, .texts, advice: "write it in quotes: \"btcinr\"")
            return nil
        }
        guard let pattern = SymbolPattern(text) ?? SymbolPattern(SourcedText(text).symbol) else {
            let kept = String(text.lowercased().filter { !"/-_: ".contains($0) })
            let advice =
                SymbolPattern(kept).map { "write it as \"\($0.text)\"" }
                ?? "use a–z, 0–9 and *, such as \"btcinr\" or \"*usdt\""
            context.error(node.position, "\"\(text)\" is not a symbol", advice: advice)
            return nil
        }
        return pattern
    }
}
