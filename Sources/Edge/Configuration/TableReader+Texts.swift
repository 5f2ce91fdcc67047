internal import Diagnostics
internal import Rules

extension TableReader {
    /// The maximum number of entries in a list. A longer list is of no use.
    private static let maximumTextCount = 1_000

    /// Reads a string or a list of strings. Returns nil if the key is absent. Faulty strings are reported and left
    /// out.
    func texts(_ key: String, example: String, mayBeEmpty: Bool = false) -> [Located<String>]? {
        guard let node = node(key) else { return nil }
        guard case .array(let elements) = node.value else {
            guard case .string = node.value else {
                wrongType(key, node, .texts, advice: "write it in quotes: \(example)")
                return []
            }
            return text(key, example: example).map { [$0] } ?? []
        }
        guard elements.count <= Self.maximumTextCount, mayBeEmpty || !elements.isEmpty else {
            let fault = elements.isEmpty ? "is an empty list" : "has more than \(Self.maximumTextCount) entries"
            context.error(node.position, "`\(key)` \(fault)", advice: "write it like \(example), or remove the line")
            return []
        }
        return elements.compactMap { element in
            guard case .string(let value) = element.value else {
                wrongType(key, element, .texts, advice: "write it in quotes: \(example)")
                return nil
            }
            return plain(value, of: key, at: element.position)
        }
    }

    /// Parses a text with placeholders. If it has a fault, reports a finding and returns nil.
    func template(_ text: Located<String>, of key: String) -> MessageTemplate? {
        do throws(MessageError) {
            return try MessageTemplate(text.value)
        } catch {
            report(error, in: key, at: text.position)
            return nil
        }
    }

    private func report(_ error: MessageError, in key: String, at position: TextPosition) {
        let names = MessageTemplate.Placeholder.allCases.map(\.rawValue)
        switch error {
        case .unknown(let name):
            let guess = nearest(to: name.lowercased(), among: names)
            context.error(
                position, "`\(key)` has an unknown placeholder {\(name)}",
                advice: guess.map { "did you mean {\($0)}?" }
                    ?? "use one of: " + names.map { "{\($0)}" }.joined(separator: " "))
        case .unpaired(let brace):
            context.error(
                position, "`\(key)` has an unmatched \(brace)", advice: "write \(brace)\(brace) for a literal brace")
        }
    }
}
