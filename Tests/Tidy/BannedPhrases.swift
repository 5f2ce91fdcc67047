import Glibc

/// An awkward or outdated expression, and what to write instead.
struct BannedPhrase {
    /// A regular expression, compared with prose in lower case.
    let pattern: String
    /// Texts of which the prose contains at least one where the pattern matches: found much faster than the pattern.
    let needles: [[CChar]]
    let instead: String

    private init(_ pattern: String, _ needles: [String], _ instead: String) {
        self.pattern = pattern.lowercased().replacing("\\s", with: " ")
        self.needles = needles.map { Array($0.utf8CString) }
        self.instead = instead
    }

    /// The faults in the prose of a file: comments and strings of Swift code, and all lines of any other file.
    static func faults(in file: SourceFile, prose: [String]) throws -> [Fault] {
        guard !isExempt(file) else { return [] }
        let text = Prose(prose)
        let faults = try all.flatMap { phrase in
            try phrase.lines(in: text).map { line in
                Fault(
                    path: file.path, line: line + 1, advice: "/\(phrase.pattern)/ is banned; write: \(phrase.instead)")
            }
        }
        return faults.sorted { $0.line < $1.line }
    }

    private func lines(in text: Prose) throws -> [Int] {
        let candidates = Set(needles.flatMap(text.lines)).sorted()
        guard !candidates.isEmpty else { return [] }
        let regex = try Regex(pattern).wordBoundaryKind(.simple).matchingSemantics(.unicodeScalar)
        return candidates.filter { line in
            let sentence = text.sentence(from: line)
            let end = sentence.utf8.index(sentence.startIndex, offsetBy: text.length(ofLine: line))
            return sentence.firstMatch(of: regex).map { $0.range.lowerBound < end } ?? false
        }
    }

    private static func isExempt(_ file: SourceFile) -> Bool {
        file.name.contains(".sv.") || file.name == "BannedPhrases.swift" || file.name == "BannedPhraseTests.swift"
    }
}

/// Lines in lower case, as one text that is searched quickly.
private struct Prose {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    init(_ lines: [String]) {
        for line in lines {
            bytes += line.utf8
            ends.append(bytes.count)
            bytes.append(UInt8(ascii: "\n"))
        }
        for index in bytes.indices where bytes[index] &- 0x41 < 26 { bytes[index] |= 0x20 }
        // The end of a C string, which is what can be searched quickly.
        bytes.append(0)
    }

    /// The lines that contain the text.
    func lines(with text: [CChar]) -> [Int] {
        var found: [Int] = []
        var start = 0
        while let place = place(of: text, from: start) {
            let line = firstLine(endingAfter: place)
            found.append(line)
            start = ends[line] + 1
        }
        return found
    }

    /// The line, and the next one, where a sentence may continue.
    func sentence(from line: Int) -> String {
        String(decoding: content(of: line), as: UTF8.self) + " "
            + (line + 1 < ends.count ? String(decoding: content(of: line + 1), as: UTF8.self) : "")
    }

    func length(ofLine line: Int) -> Int { content(of: line).count }

    /// Without the signs of a comment and the blanks around it.
    private func content(of line: Int) -> ArraySlice<UInt8> {
        let whole = bytes[(line == 0 ? 0 : ends[line - 1] + 1)..<ends[line]]
        let first = whole.firstIndex { !" /#*;".utf8.contains($0) } ?? whole.endIndex
        return whole[first...]
    }

    private func place(of text: [CChar], from start: Int) -> Int? {
        unsafe bytes.withUnsafeBufferPointer { all in
            guard start < all.count, let base = all.baseAddress else { return nil }
            let begin = unsafe UnsafeRawPointer(base + start).assumingMemoryBound(to: CChar.self)
            guard let hit = unsafe strstr(begin, text) else { return nil }
            return unsafe start + (UnsafePointer(hit) - begin)
        }
    }

    private func firstLine(endingAfter place: Int) -> Int {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] < place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension BannedPhrase {
    static let all = [
        Self(#"\banew\b"#, ["anew"], "again, or a new one"),
        Self(#"\bafresh\b"#, ["afresh"], "starts over; from the start"),
        Self(#"\bbeside\b"#, ["beside"], "next to; in addition to; compared with"),
        Self(#"\bfor want of\b"#, ["for want of"], "because there is no …"),
        Self(#"\btold\b(?! apart)"#, ["told"], "notified (an event); reported, said, shown (anything else)"),
        Self(#"\buntold\b"#, ["untold"], "suppressed"),
        Self(#"\btells\b(?!.*\bapart\b)"#, ["tells"], "notifies, says, shows, reports"),
        Self(#"\btelling\b(?!.*\bapart\b)"#, ["telling"], "notifying; notification"),
        Self(#"\bsteers?\b"#, ["steer"], "controls"),
        Self(#"\b(the )?way of the data\b"#, ["way of the"], "data flow"),
        Self(#"\bwhere things lie\b"#, ["where things lie"], "Files"),
        Self(#"\bhardly meant\b"#, ["hardly meant"], "a likely mistake"),
        Self(#"\bsome times an? (day|hour|week|minute)\b"#, ["some times"], "several times a day"),
        Self(#"\bis over again\b"#, ["over again"], "resolves"),
        Self(#"\bover again when\b"#, ["over again"], "resolves when"),
        Self(#"\bwho connects\b"#, ["who connects"], "clients that connect; anyone who connects"),
        Self(#"\bwho calls\b"#, ["who calls"], "the caller"),
        Self(#"\bfor who\b"#, ["for who"], "for people who …; if you …"),
        Self(#"\bof before\b"#, ["of before"], "the previous …"),
        Self(#"\bany more\b"#, ["any more"], "no longer"),
        Self(#"\b(fields?|ids?|kinds?|clients?) (of|that (is|are) not) ours\b"#, ["ours"], "of alertd; independent"),
        Self(#"\bparted\b"#, ["parted"], "separated; divided"),
        Self(#"\bheld against\b"#, ["held against"], "compared with; checked against"),
        Self(#"\bholds? .{1,40}\bagainst\b"#, ["against"], "compares with; checks against"),
        Self(
            #"\bstands? (in|there|beside|below|above|outside|still|behind)\b"#,
            ["stand"], "is in; is there; has stalled"),
        Self(#"\b(may|can|must) stand\b"#, ["stand"], "may be; is allowed; may appear"),
        Self(#"\blies? (in|below|elsewhere|beside|there)\b"#, ["lie"], "is in; are below"),
        Self(#"\bwell again\b"#, ["well again"], "recovered"),
        Self(
            #"\b(goes|go|went) on (with|where|behind|from|again)\b"#,
            ["goes on", "go on", "went on"], "continues with; resumes at"),
        Self(#"\band (goes|go) on\b"#, ["goes on", "go on"], "and continues"),
        Self(#"\bcomes? again\b"#, ["again"], "repeats"),
        Self(#"\bin words\b"#, ["in words"], "as text; the message"),
        Self(#"\bdeeds?\b"#, ["deed"], "action"),
        Self(#"\bcommand line makes no sense\b"#, ["command line makes no sense"], "invalid usage"),
        Self(
            #"\b(it|which|this|what|text|file|name|value) is no (?!longer\b|more\b|less\b|such\b|need\b|way\b)[a-z]+"#,
            [" is no"], "is not a …"),
        Self(#"\b(it|that|which|this|line) is none\b"#, ["none"], "is not one"),
        Self(#" %( (or|away|from|since|more|less|within|beyond)\b|, [a-z])"#, [" %"], "10%, without a space"),
        Self(#"\bat one time\b"#, ["at one time"], "at the same time; concurrently"),
        Self(#"\bat most so\b"#, ["at most so"], "at most NUMBER …"),
        Self(#"\bso many\b(?!.{0,40} that\b)"#, ["so many"], "this many; the first NUMBER …"),
        Self(#"\bthat many\b"#, ["that many"], "this many; a number of …"),
        Self(#"\bagain and again\b"#, ["again and again"], "repeatedly; a stream of …; always"),
        Self(#"\bin force\b"#, ["in force"], "in effect; active"),
        Self(#"\bfor ever\b"#, ["for ever"], "forever; without a limit"),
        Self(#"\b(is|are|was) called after\b"#, ["called after"], "is named; takes its name from"),
        Self(#"\bfor so long\b(?! as)"#, ["so long"], "for this long"),
        Self(#"\bhave (it|them) quiet\b"#, ["quiet"], "silence"),
        Self(#"\bwhat became of\b"#, ["what became of"], "the result of; its delivery"),
        Self(#"\b(becomes?|became) of\b"#, ["become", "became"], "happens to"),
        Self(#"\b(comes?|came) of (it|what|this|that)\b"#, ["come", "came"], "results from"),
        Self(#"\b(ends?|ended|ending) in order\b"#, ["in order"], "shuts down cleanly; stops"),
        Self(#"\border of the end\b"#, ["order of the end"], "orderly shutdown"),
        Self(
            #"\bbr(ought|ings?) (it )?(forward|to the present)\b"#,
            ["forward", "the present"], "migrated; upgraded"),
        Self(#"\b(from|do|does) (its|their) work\b"#, ["work"], "prevents … from working; works"),
        Self(#"\b(is|are|was|were) said\b(?! to)"#, ["said"], "is reported; is given"),
        Self(#"\bthat is said\b"#, ["said"], "that is given; see the message"),
        Self(#"\bunsaid\b"#, ["unsaid"], "silently ignored"),
        Self(
            #"\b(one|an?|its|their|json) (record|object|path|test|row|key|check|entry|subject|field|type|reason|file) "#
                + #"an? (line|module|file|subject|commit)\b"#,
            [" line", " module", " file", " subject", " commit"], "one record per line"),
        Self(#"\bat most every\b"#, ["at most every"], "at most once every"),
        Self(#"\bthan (it|they) (may|must)\b"#, ["than it ", "than they "], "than allowed; than required"),
        Self(#"\ball the same\b(?! (as|in|for)\b)"#, ["all the same"], "anyway; still"),
        Self(#"\b(stop|stops|stopped|stopping) (it )?in order\b(?! to)"#, ["in order"], "cleanly"),
        Self(#"\bif need be\b"#, ["if need be"], "if necessary"),
        Self(#"\bsome (minutes|seconds|hours|days) (later?|ago|at)\b"#, ["some "], "a few minutes"),
        Self(#"\bwhat (fires|waits|is critical) (is|are|again)\b"#, ["what "], "firing alerts; queued events"),
        Self(
            #"\bthe present (one|version|file|price|state)\b"#, ["the present "], "the current one; today's"),
        Self(#"\bat a port\b"#, ["at a port"], "on a port"),
        Self(#"\b(goes|go) on (after|by|coming|for|through|while|without)\b"#, ["go"], "continues; resumes; keeps"),
        Self(#"\bas ever\b"#, ["as ever"], "as usual"),
        Self(#"\bbehind (that|this|any|a|the) (number|event|last)\b"#, ["behind"], "after"),
        Self(#"\bover (a |the )?(restarts?|crash(es)?|reboots?)\b"#, ["over"], "across restarts"),
        Self(#"\bmend(s|ed|ing)?\b"#, ["mend"], "fix; correct"),
        Self(#"\bin the place of\b"#, ["in the place of"], "instead of; replaces"),
        Self(#"\bdrawn (as|with|by) (text|words|tests?)\b"#, ["drawn"], "written as text"),
        Self(#"\bfrom when on\b"#, ["from when on"], "from this time on"),
        Self(#", its way,"#, ["its way"], ", trend,"),
        Self(#"\bheld up\b"#, ["held up"], "blocked"),
        Self(#"\bno way (from )?[a-z]{3,5} ?(>|→|to )"#, ["no way"], "no conversion path"),
        Self(#"\bclock that nobody sets\b"#, ["clock that nobody sets"], "monotonic clock"),
        Self(#"\bclock that runs now\b"#, ["clock that runs now"], "the clock of the current boot"),
        Self(#"\bputs? .{0,40}\bin(to)? force\b"#, ["force"], "applies; restores"),
        Self(#"\blooks? after the settings\b"#, ["after the settings"], "manages settings"),
        Self(#"\bowes\b"#, ["owes"], "deferred"),
        Self(#"\bhindrances?\b"#, ["hindrance"], "suppression"),
        Self(#"\bpoised\b"#, ["poised"], "armed"),
        Self(#"\bgrounds\b"#, ["grounds"], "details"),
        Self(#"\bwhen it is left out\b"#, ["when it is left out"], "default:"),
        Self(
            #"\bthereof\b|\btherein\b|\bwhereof\b|\bhereby\b"#,
            ["thereof", "therein", "whereof", "hereby"], "plain words"),
        Self(#"\balready_outside\b"#, ["already_outside"], "already_breached"),
        Self(#"\bfired_untold\b"#, ["fired_untold"], "fired_suppressed"),
        Self(#"\bALERTD_(EVENT|TOLD)\b"#, ["alertd_event", "alertd_told"], "ALERTD_KIND; ALERTD_NOTIFIED"),
    ]
}
