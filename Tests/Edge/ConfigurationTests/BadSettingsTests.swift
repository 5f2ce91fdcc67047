import Configuration
import Foundation
import Testing

/// Each file of `Data/bad` is named for its fault; its findings are in the `.expected` file next to it.
@Suite struct BadSettingsTests {
    private static let folder = dataFolder.appending(path: "bad")

    @Test(arguments: settingsFiles(in: folder)) func isFoundAndSaidWell(name: String) throws {
        let file = Self.folder.appending(path: name)
        let expectation = file.deletingPathExtension().appendingPathExtension("expected")
        let text = rendered([UInt8](try Data(contentsOf: file)), as: name)
        // Set to write down the present findings, to be reviewed before they are committed.
        if ProcessInfo.processInfo.environment["ALERTD_WRITE_EXPECTED"] != nil {
            try text.write(to: expectation, atomically: true, encoding: .utf8)
        }
        #expect(text == (try String(contentsOf: expectation, encoding: .utf8)))
        #expect(text.contains("error: "))
    }

    @Test func thereAreFiles() {
        #expect(settingsFiles(in: Self.folder).count > 25)
    }
}
