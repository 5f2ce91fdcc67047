package import Events
package import Market
internal import Time

/// A user-defined text for the events of a rule, with placeholders such as `{price}`.
package struct MessageTemplate: Equatable, Sendable {
    /// A name that may appear between braces.
    package enum Placeholder: String, CaseIterable, Sendable {
        case rule
        case kind
        case source
        case symbol
        case bound
        case price
        case limit
        case currency
        case previous
        case severity
        case reason
        case time
    }

    fileprivate enum Part: Equatable, Sendable {
        case text(String)
        case placeholder(Placeholder)
    }

    /// The template as the user wrote it.
    package let source: String
    private var parts: [Part]

    /// Parses a template; `{{` and `}}` are literal braces.
    ///
    /// - Throws: ``MessageError``.
    package init(_ source: String) throws(MessageError) {
        self.source = source
        var parts: [Part] = []
        var words = ""
        var rest = source[...]
        while let next = rest.popFirst() {
            guard next == "{" || next == "}" else {
                words.append(next)
                continue
            }
            if rest.first == next {
                words.append(next)
                rest.removeFirst()
                continue
            }
            guard next == "{", let end = rest.firstIndex(of: "}") else { throw .unpaired(next) }
            let name = String(rest[..<end])
            guard let placeholder = Placeholder(rawValue: name) else { throw .unknown(name) }
            if !words.isEmpty { parts.append(.text(words)) }
            words = ""
            parts.append(.placeholder(placeholder))
            rest = rest[rest.index(after: end)...]
        }
        if !words.isEmpty { parts.append(.text(words)) }
        self.parts = parts
    }

    /// Returns a copy with `{source}` replaced by a name, for the rules of that source.
    package func naming(_ source: SourceName) -> MessageTemplate {
        var named = self
        for index in parts.indices where parts[index] == .placeholder(.source) {
            named.parts[index] = .text(source.description)
        }
        return named
    }

    /// Returns the user's text for an event; nil if it is generated from the evidence.
    ///
    /// - Parameters:
    ///   - event: the event to describe.
    ///   - usual: the template for all events.
    ///   - repeated: the template for `repeated` events; nil to use `usual`.
    ///   - resolved: the template for `resolved` events; nil to use `usual`.
    /// - Returns: the text with its placeholders filled in.
    package static func text(for event: Occurrence, usual: Self?, repeated: Self?, resolved: Self?) -> String? {
        let own: Self? =
            switch event.kind {
            case .repeated: repeated
            case .resolved: resolved
            default: nil
            }
        return (own ?? usual)?.text(for: event)
    }

    /// Returns the text for an event; a placeholder without a value becomes `none`.
    package func text(for event: Occurrence) -> String {
        parts.map { part in
            switch part {
            case .text(let words): words
            case .placeholder(let placeholder): Self.value(placeholder, of: event) ?? "none"
            }
        }.joined()
    }

    private static func value(_ placeholder: Placeholder, of event: Occurrence) -> String? {
        switch placeholder {
        case .rule: event.rule
        case .kind: event.kind.rawValue
        case .source: event.source?.description
        case .symbol: event.symbol?.description
        case .bound: event.bound?.rawValue
        case .price: event.price?.description
        case .limit: event.limit?.description
        case .currency: event.currency?.description
        case .previous: event.previous?.price.description
        case .severity: event.severity.rawValue
        case .reason: event.reason?.rawValue
        case .time: event.time.description
        }
    }
}

/// The reason why a message template is invalid.
package enum MessageError: Error, Equatable, Sendable {
    /// There is no placeholder of this name.
    case unknown(String)
    /// A brace without its counterpart.
    case unpaired(Character)
}
