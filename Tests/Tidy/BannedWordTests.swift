import Testing

/// Code and text that are banned.
struct BannedWordTests {
    @Test func noBannedWordIsUsed() {
        expectNone(
            SourceTree.swiftCode.flatMap { file, code in
                BannedWord.all.flatMap { $0.faults(in: file, code: code) }
            })
    }

    @Test func noFileNamesAMachineOrLeavesAReminder() {
        expectNone(SourceTree.all.flatMap(BannedText.faults))
    }

    @Test(arguments: [
        ("Sources/Core/Market/A.swift", "let a = try! b()", 1),
        ("Sources/Core/Market/A.swift", "let a = b as! Int", 1),
        ("Sources/Core/Market/A.swift", "fatalError(\"no\")", 1),
        ("Sources/Core/Market/A.swift", "extension A: @unchecked Sendable {}", 1),
        ("Sources/Core/Market/A.swift", "print(a)", 1),
        ("Sources/Core/Market/A.swift", "debugPrint(a); b.reprint(a)", 0),
        ("Sources/Core/Market/A.swift", "// print(a) and try! b()", 0),
        ("Sources/Programs/alertd/main.swift", "print(a)", 0),
        ("Tests/Core/MarketTests/ATests.swift", "try await Task.sleep(for: .seconds(1))", 1),
        ("Tests/Core/MarketTests/ATests.swift", "while !ready { try await sleep(for: .milliseconds(1)) }", 0),
        ("Sources/Edge/EventLoop/A.swift", "await sleep(for: limit)", 0),
        ("Sources/App/AlertClient/A.swift", "let a = ContinuousClock.now", 1),
        ("Sources/Core/Market/A.swift", "func a() async throws {", 1),
        ("Sources/Edge/HTTP/A.swift", "let a = ContinuousClock.now", 0),
    ])
    func aBannedWordIsFound(path: String, line: String, count: Int) {
        let file = SourceFile(path: path, text: line)
        let code = SwiftCode(line)
        #expect(BannedWord.all.flatMap { $0.faults(in: file, code: code) }.count == count)
    }

    @Test(arguments: [
        ("Sources/Core/Market/A.swift", "// TO" + "DO: later", 1),
        ("Sources/Core/Market/A.swift", "// TO" + "DO(#12): later", 0),
        ("Scripts/a", "cp /ho" + "me/somebody/a b", 1),
        (".ci/run", "cd ../" + "shared", 0),
        ("Makefile", "cd ../" + "shared", 1),
    ])
    func aReminderAndAMachineAreFound(path: String, line: String, count: Int) {
        #expect(BannedText.faults(in: SourceFile(path: path, text: line)).count == count)
    }
}
