internal import Arguments
internal import Control
internal import Diagnostics
internal import Market

/// `--source` for commands that list, as a filter.
let sourceOption = OptionSpecification(
    "source", value: "NAME", kind: .live("sources"), help: "Only this source of prices; default: all")

/// `--source` for commands that take symbols of one source.
let symbolSourceOption = OptionSpecification(
    "source", value: "NAME", kind: .live("sources"), help: "The source of the symbol; 'kraken:btcusd' means the same")

/// `--source` for commands that act on one source.
let oneSourceOption = OptionSpecification(
    "source", value: "NAME", kind: .live("sources"), help: "The source of prices; required if there are several")

extension ParsedArguments {
    /// Returns a symbol or pattern for a call, prefixed with its source if one is given.
    ///
    /// - Throws: ``ClientError`` if its prefix and `--source` name different sources.
    func sourced(_ text: String) throws(ClientError) -> String {
        let written = SourcedText(text.lowercased())
        guard let source = try oneSource(of: [written]) else { return written.symbol }
        return "\(source):\(written.symbol)"
    }

    /// Returns the source that `--source` or the symbols name; nil if none is named.
    ///
    /// - Throws: ``ClientError`` if several sources are named.
    func oneSource(of symbols: [SourcedText]) throws(ClientError) -> String? {
        let names = ([value("source")] + symbols.map(\.source)).compactMap(\.self)
        guard let first = names.first else { return nil }
        if let other = names.first(where: { $0 != first }) {
            throw .usage("two sources are given, \(visible(first)) and \(visible(other)); name one")
        }
        return first
    }
}

extension SymbolStatus {
    /// The symbol prefixed with its source, which is unambiguous in every call.
    var sourced: String { source.isEmpty ? symbol : "\(source):\(symbol)" }
}

extension AlertStatus {
    /// The symbol prefixed with its source.
    var sourced: String { "\(source):\(symbol)" }
}

extension DaemonStatus {
    var hasSeveralSources: Bool { sources.count > 1 }

    /// The names of the sources, separated by commas.
    var sourceNames: String { sources.map(\.source).joined(separator: ", ") }

    /// The time of the last data of each source; changes with each successful poll.
    var dataTimes: [String?] { sources.map(\.lastSuccess) }

    /// The time of the last data of any source.
    var newestData: String? { dataTimes.compactMap(\.self).max() }

    /// Returns the feed of the source that prefixes a symbol; the first feed if there is no known prefix.
    func feed(of symbol: String) -> FeedStatus {
        let name = SourcedText(symbol).source
        return sources.first { $0.source == name } ?? feed
    }
}
