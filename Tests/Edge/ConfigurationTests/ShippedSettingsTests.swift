import Configuration
import Diagnostics
import Foundation
import Market
import TestSupport
import Testing
import Time

/// The settings files of the package.
@Suite struct ShippedSettingsTests {
    private static let folder = packageFolder.appending(path: "etc")

    @Test func holdAsTheyLie() throws {
        let path = Self.folder.appending(path: "alertd.toml").path
        do throws(SettingsError) {
            let loaded = try SettingsLoader().load(path)
            #expect(loaded.warnings.isEmpty)
            #expect(loaded.files == [path, Self.folder.appending(path: "rules.d/example.toml").path])
            #expect(loaded.settings.rules.count > 4)
        } catch {
            Issue.record("\(FindingRenderer().render(error.findings))")
        }
    }

    @Test(
        arguments: settingsFiles(in: folder)
            + settingsFiles(in: folder.appending(path: "rules.d")).map { "rules.d/" + $0 })
    func holdEachOnItsOwn(name: String) throws {
        let bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: name)))
        // The settings that are installed have no rules: nobody gets alerts that they did not ask for.
        #expect(name == "alertd.toml" ? rendered(bytes).contains("warning: no rules") : rendered(bytes) == "")
    }

    /// What a comment shows as the value that holds anyway does hold.
    @Test func commentsShowWhatHolds() throws {
        let text = try String(contentsOf: Self.folder.appending(path: "alertd.toml"), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let isSetting = /# [a-z_]+ = .*/
        let enabled = lines.map { line in
            (try? isSetting.prefixMatch(in: line)) != nil && !line.contains("ca_file")
                ? String(line.dropFirst(2)) : String(line)
        }
        var settings = try load(enabled.joined(separator: "\n")).settings
        #expect(settings.feed.givenMaximumGap == settings.feed.interval.times(3))
        settings.feed.givenMaximumGap = nil
        #expect(settings == (try load(text).settings))
        #expect(enabled.count { $0.hasPrefix("# ") } < lines.count { $0.hasPrefix("# ") } - 9)
    }
}
