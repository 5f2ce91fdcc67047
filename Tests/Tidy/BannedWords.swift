/// Banned code, and what to write instead.
struct BannedWord: Sendable {
    let name: String
    /// The word boundary before it matters: `debugPrint(` is not `print(`.
    let text: String
    let instead: String
    /// A text that makes the line acceptable.
    var unless: String?
    /// Whether the word is banned from the file.
    var applies: @Sendable (SourceFile) -> Bool = { _ in true }

    func faults(in file: SourceFile, code: SwiftCode) -> [Fault] {
        guard applies(file), file.text.contains(text) else { return [] }
        return code.lines.enumerated().filter { contains($0.element) }.map {
            Fault(path: file.path, line: $0.offset + 1, advice: "\(name) is banned; \(instead)")
        }
    }

    private func contains(_ line: String) -> Bool {
        if let unless, line.contains(unless) { return false }
        return line.ranges(of: text).contains { range in
            guard text.first?.isLetter == true, range.lowerBound > line.startIndex else { return true }
            let before = line[line.index(before: range.lowerBound)]
            return !before.isLetter && !before.isNumber && before != "_"
        }
    }
}

extension BannedWord {
    static let all = clientWords + general

    private static let general = [
        Self(name: "try!", text: "try!", instead: "throw on, or handle the error"),
        Self(name: "as!", text: "as! ", instead: "use as? and say what happens when it is nil"),
        Self(
            name: "fatalError", text: "fatalError(",
            instead: "throw, or use preconditionFailure with what was impossible"),
        Self(
            name: "@unchecked Sendable", text: "@unchecked Sendable",
            instead: "isolate the type to LoopActor, or put its state into a Mutex"),
        Self(
            name: "unowned(unsafe)", text: "unowned(unsafe)",
            instead: "use weak, or let the owner outlive the callee by structure"),
        Self(name: "print", text: "print(", instead: "return the text; only a program's main writes it") {
            $0.path.hasPrefix("Sources/") && !["alertd", "alertctl"].contains($0.module) && !isBenchmark($0)
        },
        Self(
            name: "sleep", text: "sleep(", instead: "wait for what is expected: while !there { try await sleep(…) }",
            unless: "while ", applies: isTest),
        Self(name: "DispatchQueue", text: "DispatchQueue", instead: "stay on the event loop") {
            $0.path.hasPrefix("Sources/")
        },
    ]

    private static let clientWords = ["ContinuousClock", "SuspendingClock", "await ", "async "].map { word in
        Self(
            name: word, text: word, instead: "alertctl starts faster without the concurrency runtime; see Deadline",
            applies: isInClient)
    }

    private static let clientModules: Set = [
        "alertctl", "AlertClient", "Configuration", "Control", "JSON", "Journal", "Manual", "ReferenceRateFiles",
        "Terminal", "UnixSockets", "VarlinkMessages",
    ]

    /// Whether the file is part of alertctl.
    private static func isInClient(_ file: SourceFile) -> Bool {
        file.module.map(clientModules.contains) == true || file.floor == "Core" && file.path.hasPrefix("Sources/")
    }

    /// Tests of the loop test its sleep; a stand-in for something slow may sleep.
    private static func isTest(_ file: SourceFile) -> Bool {
        file.name.hasSuffix("Tests.swift") && !file.folders.contains("EventLoopTests")
    }

    private static func isBenchmark(_ file: SourceFile) -> Bool { file.module?.contains("bench") == true }
}

/// Texts that are banned from every file, including comments and strings.
enum BannedText {
    /// Written in two parts, so that this file passes the test.
    private static let machinePaths = ["/wo" + "rk/", "/tmp/" + "w/", "/ho" + "me/", "/ro" + "ot/", "../" + "shared"]
    private static let reminders = ["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK"]

    static func faults(in file: SourceFile) -> [Fault] {
        guard (machinePaths + reminders).contains(where: file.text.contains) else { return [] }
        return file.lines.enumerated().flatMap { index, line in
            advice(on: line, in: file).map { Fault(path: file.path, line: index + 1, advice: $0) }
        }
    }

    private static func advice(on line: Substring, in file: SourceFile) -> [String] {
        let paths = file.path == ".ci/run" ? [] : machinePaths.filter { line.contains($0) && !line.contains("http") }
        let words = reminders.filter { line.contains($0) && !line.contains(/\(#\d+\)/) }
        return paths.map { "\($0) is a path of one machine; take it from the environment or from the checkout" }
            + words.map { "\($0) without an issue; write \($0)(#12), or do it now" }
    }
}
