internal import Foundation

/// The text of a golden file: what somebody looked at once. With `ALERTD_UPDATE_GOLDEN=1` it becomes the given text
/// first; look at the difference before you commit it. The path begins in the folder of tests.
package func goldenText(_ path: String, updatedWith text: String) throws -> String {
    let file = packageFolder.appending(path: "Tests/\(path)")
    if ProcessInfo.processInfo.environment["ALERTD_UPDATE_GOLDEN"] != nil {
        try Data(text.utf8).write(to: file)
    }
    return try String(contentsOf: file, encoding: .utf8)
}
