internal import Arguments
internal import Control
internal import Diagnostics
internal import Market

/// The option of commands that list what belongs to a source.
let sourceOption = OptionSpecification(
    "source", value: "NAME", kind: .live("sources"), help: "Only this source of prices; default: all")

/// The option of commands that take symbols of one source.
let symbolSourceOption = OptionSpecification(
    "source", value: "NAME", kind: .live("sources"), help: "The source of the symbol; 'kraken:btcusd' means the same")

/// The option of commands that are about one source.
let oneSourceOption = OptionSpecification(
    "source", value: "NAME", kind: .live("sources"), help: "The source of prices; required if there are several")

extension ParsedArguments {
    /// A symbol or pattern as calls take it: with the source of `--source` before it.
    ///
    /// - Throws: ``ClientError`` if another source is before it.
    func sourced(_ text: String) throws(ClientError) -> String {
        let written = SourcedText(text.lowercased())
        guard let source = try oneSource(of: [written]) else { return written.symbol }
        return "\(source):\(written.symbol)"
    }

    /// The source of `--source`, or the one that all of these name; nil if neither names one.
    ///
    /// - Throws: ``ClientError`` if they differ.
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
    /// Its name with the source before it, which is unambiguous in every call.
    var sourced: String { source.isEmpty ? symbol : "\(source):\(symbol)" }
}

extension AlertStatus {
    /// Its symbol with the source before it.
    var sourced: String { "\(source):\(symbol)" }
}

extension DaemonStatus {
    var hasSeveralSources: Bool { sources.count > 1 }

    /// The names of the sources, separated by commas.
    var sourceNames: String { sources.map(\.source).joined(separator: ", ") }

    /// When the last data of each source was received; different after each poll.
    var dataTimes: [String?] { sources.map(\.lastSuccess) }

    /// When the last data of any source was received.
    var newestData: String? { dataTimes.compactMap(\.self).max() }

    /// The state of the source that is before a symbol; of the first one if there is none.
    func feed(of symbol: String) -> FeedStatus {
        let name = SourcedText(symbol).source
        return sources.first { $0.source == name } ?? feed
    }
}
