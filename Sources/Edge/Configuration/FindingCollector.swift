internal import Diagnostics
internal import Events

/// A collector of the findings of all files of one load.
final class FindingCollector {
    /// The maximum number of findings. More would help no one, and a hostile file must not fill the memory.
    static let maximumCount = 1_000

    private(set) var findings: [Finding] = []
    private var omittedCount = 0

    var hasErrors: Bool { omittedCount > 0 || findings.contains { $0.severity == .error } }

    func add(_ finding: Finding) {
        guard findings.count < Self.maximumCount else {
            omittedCount += 1
            return
        }
        findings.append(finding)
    }

    /// Returns all findings, ordered by file as in `files`, then by position.
    func sorted(by files: [String]) -> [Finding] {
        let order = Dictionary(files.enumerated().map { ($1, $0) }) { first, _ in first }
        let keyed = findings.enumerated().map { index, finding in
            let position = finding.position
            let file = position.flatMap { order[$0.file] } ?? files.count
            return (key: (file, position?.line ?? 0, position?.column ?? 0, index), finding: finding)
        }
        let sorted = keyed.sorted { $0.key < $1.key }.map(\.finding)
        guard omittedCount > 0 else { return sorted }
        return sorted + [
            Finding(.error, at: nil, "\(omittedCount) more findings are not shown", advice: "fix these first")
        ]
    }
}

/// A file being read, or several files read as one. It turns positions in their texts into findings.
struct FileContext {
    /// The texts, by the file index of a position.
    private let sources: [SourceText]
    let collector: FindingCollector

    init(sources: [SourceText], collector: FindingCollector) {
        (self.sources, self.collector) = (sources, collector)
    }

    /// Returns the text that contains a position.
    func source(at place: TextPosition) -> SourceText {
        sources.indices.contains(place.file) ? sources[place.file] : SourceText(file: "", bytes: [])
    }

    func error(_ place: TextPosition, _ message: String, advice: String? = nil) {
        add(.error, place, message, advice)
    }

    /// Reports an error about a value that may be a secret. The finding does not show its line.
    func secretError(_ place: TextPosition, _ message: String, advice: String? = nil) {
        collector.add(Finding(.error, at: position(place), message, advice: advice))
    }

    func warning(_ place: TextPosition, _ message: String, advice: String? = nil) {
        add(.warning, place, message, advice)
    }

    func position(_ place: TextPosition) -> SourcePosition {
        SourcePosition(file: source(at: place).file, line: place.line, column: place.column)
    }

    /// Returns a position in the form that messages use: `/etc/alertd/alertd.toml:12`.
    func name(of place: TextPosition) -> String { "\(source(at: place).file):\(place.line)" }

    /// Returns a line, or nil if it may contain a secret.
    func shownLine(at place: TextPosition) -> String? { source(at: place).shownLine(place.line) }

    private func add(_ severity: Finding.Severity, _ place: TextPosition, _ message: String, _ advice: String?) {
        collector.add(
            Finding(severity, at: position(place), message, advice: advice, sourceLine: shownLine(at: place)))
    }
}

extension SourceText {
    /// Returns a line, or nil if it may contain a secret: findings end up in journals and bug reports.
    func shownLine(_ number: Int) -> String? {
        guard let line = line(number) else { return nil }
        let mayHoldSecret = line.split(separator: "=").dropLast().contains { looksSecret(String($0)) }
        return mayHoldSecret || line.contains("@") ? nil : line
    }
}

/// Returns true if a key is named like a secret.
func looksSecret(_ key: String) -> Bool {
    let words = key.lowercased().split { !$0.isLetter }
    return words.contains { word in
        secretWords.contains { word == $0 || word == $0 + "s" }
    }
}

private let secretWords = [
    "key", "apikey", "token", "password", "passwd", "pwd", "passphrase", "passcode", "secret", "secretkey", "bearer",
    "authorization", "credential", "proxy",
]
