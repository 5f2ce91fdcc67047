import Testing

/// Comments begin with what they describe, and functions have verbs from which their effect can be guessed.
struct WordingTests {
    @Test func noCommentBeginsWithANounClause() {
        expectNone(Self.sources.flatMap(Wording.clauses))
    }

    @Test func noFunctionHasAVagueVerb() {
        expectNone(Self.sources.flatMap(Wording.vagueVerbs))
    }

    private static let sources = SourceTree.sources.filter { $0.isSwift || $0.path.hasSuffix(".h") }

    @Test(arguments: [
        ("/// What went wrong.", 1),
        ("    /// Whether it is called on the thread of the loop.", 1),
        ("/// Those in progress.", 1),
        ("/// How many there are.", 1),
        ("// That which holds.", 1),
        ("/// The cause.\n/// What follows is the second line of a block.", 0),
        ("/// True on the loop's thread.", 0),
        ("/// Whatever the daemon sends.", 0),
        ("let text = \"// What\"", 0),
    ])
    func aNounClauseIsFound(text: String, count: Int) {
        #expect(Wording.clauses(in: SourceFile(path: "Sources/Core/Market/A.swift", text: text)).count == count)
    }

    @Test(arguments: [
        ("    func take(_ response: Response) {}", 1),
        ("mutating func note() {}", 1),
        ("func settle<A>(_ a: A) {}", 1),
        ("func takeAll() {}", 0),
        ("func ingest(_ response: Response) {}", 0),
    ])
    func aVagueVerbIsFound(text: String, count: Int) {
        #expect(Wording.vagueVerbs(in: SourceFile(path: "Sources/Core/Market/A.swift", text: text)).count == count)
    }
}

/// The patterns of comments and names that have to be guessed.
private enum Wording {
    /// Comment blocks that begin with a clause in place of a noun or a verb.
    static func clauses(in file: SourceFile) -> [Fault] {
        var isInBlock = false
        return file.lines.enumerated().compactMap { index, line in
            let text = line.drop { $0 == " " }
            defer { isInBlock = text.hasPrefix("//") }
            guard !isInBlock, text.firstMatch(of: /^\/\/\/? (What|Whether|Those|That which|How)\b/) != nil else {
                return nil
            }
            return Fault(
                path: file.path, line: index + 1,
                advice: "begin with a noun (a type, a property), 'True if' (a Bool) or a verb (a function)")
        }
    }

    static func vagueVerbs(in file: SourceFile) -> [Fault] {
        file.lines.enumerated().compactMap { index, line in
            guard line.firstMatch(of: /\bfunc (take|note|settle|tell|look)\b/) != nil else { return nil }
            return Fault(
                path: file.path, line: index + 1,
                advice: "say what it does: apply, ingest, drain, consume, record, finish, commit, notify, check")
        }
    }
}
