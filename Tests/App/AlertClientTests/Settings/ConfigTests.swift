import Configuration
import Testing

@testable import AlertClient

struct ConfigTests {
    private func run(_ fixture: SettingsFixture) -> Run {
        let run = fixture.run()
        run.environment.checkFiles = { SettingsLoader().check($0) }
        return run
    }

    @Test func showNamesTheFilesAndWhereEachValueComesFrom() throws {
        let fixture = SettingsFixture()
        try fixture.write("[feed]\ninterval = \"30s\"\n[display]\ncurrency = \"EUR\"\n", to: "alertd.toml")
        try fixture.write("[feed]\ninterval = \"1m\"\n", to: "conf.d/local.toml")
        try fixture.write("[[rule]]\nsymbol = \"btcinr\"\nmin = 1\n", to: "rules.d/mine.toml")
        let run = run(fixture)
        #expect(run("config show") == 0)
        let folder = fixture.path
        #expect(
            run.output.replacing(folder, with: "/e") == """
                Files, in the order they are read:
                  /e/alertd.toml
                  /e/conf.d/local.toml
                  /e/rules.d/mine.toml
                TABLE    NAME        KEY       VALUE  FROM
                feed     -           interval  "1m"   /e/conf.d/local.toml:2
                display  -           currency  "EUR"  /e/alertd.toml:4
                rule     btcinr min  -         -      /e/rules.d/mine.toml:1

                """)
        let other = self.run(fixture)
        #expect(other("config show --json \(fixture.settings)") == 0)
        #expect(other.output.contains("\"key\":\"interval\",\"value\":\"\\\"1m\\\"\""))
    }

    @Test func showReportsErrorsInstead() throws {
        let fixture = SettingsFixture()
        try fixture.write("[feed]\ninterval = \"1s\"\n", to: "conf.d/local.toml")
        let run = run(fixture)
        #expect(run("config show") == 6)
        #expect(run.output.contains("/conf.d/local.toml:2:12: error: `interval` is 1s"))
    }

    @Test func showSaysThatAllSettingsHaveTheirDefaults() throws {
        let fixture = SettingsFixture()
        try fixture.write("# Nothing is set.\n", to: "alertd.toml")
        let run = run(fixture)
        #expect(run("config show") == 0)
        #expect(run.output.contains("No file sets a value: all settings have their defaults."))
    }
}
