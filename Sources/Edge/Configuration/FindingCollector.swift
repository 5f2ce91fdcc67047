internal import Diagnostics
internal import Events

/// Collects the findings of all files of one load.
final class FindingCollector {
    /// More than this helps nobody, and a hostile file cannot fill the memory.
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

    /// All findings in the order of the files given and of their places in them.
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

/// One file being read, or several that are read as one: turns places in their texts into findings.
struct FileContext {
    /// By the index in positions.
    private let sources: [SourceText]
    let collector: FindingCollector

    init(sources: [SourceText], collector: FindingCollector) {
        (self.sources, self.collector) = (sources, collector)
    }

    /// The text that contains a place.
    func source(at place: TextPosition) -> SourceText {
        sources.indices.contains(place.file) ? sources[place.file] : SourceText(file: "", bytes: [])
    }

    func error(_ place: TextPosition, _ message: String, advice: String? = nil) {
        add(.error, place, message, advice)
    }

    /// An error about a value that may be a secret: its line is not shown.
    func secretError(_ place: TextPosition, _ message: String, advice: String? = nil) {
        collector.add(Finding(.error, at: position(place), message, advice: advice))
    }

    func warning(_ place: TextPosition, _ message: String, advice: String? = nil) {
        add(.warning, place, message, advice)
    }

    func position(_ place: TextPosition) -> SourcePosition {
        SourcePosition(file: source(at: place).file, line: place.line, column: place.column)
    }

    /// A place as messages name it: `/etc/alertd/alertd.toml:12`.
    func name(of place: TextPosition) -> String { "\(source(at: place).file):\(place.line)" }

    /// A line, unless it may contain a secret.
    func shownLine(at place: TextPosition) -> String? { source(at: place).shownLine(place.line) }

    private func add(_ severity: Finding.Severity, _ place: TextPosition, _ message: String, _ advice: String?) {
        collector.add(
            Finding(severity, at: position(place), message, advice: advice, sourceLine: shownLine(at: place)))
    }
}

extension SourceText {
    /// A line, unless it may contain a secret: findings end up in journals and bug reports.
    func shownLine(_ number: Int) -> String? {
        guard let line = line(number) else { return nil }
        let mayHoldSecret = line.split(separator: "=").dropLast().contains { looksSecret(String($0)) }
        return mayHoldSecret || line.contains("@") ? nil : line
    }
}

/// Whether a key is named like a secret.
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
