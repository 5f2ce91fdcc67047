import AlertClient
import Configuration
import Testing

/// Files that exist only here.
struct MadeFiles: SettingsFiles {
    var files: [String: String]

    func contents(of path: String, limit: Int) -> FileAnswer<[UInt8]> {
        files[path].map { .found(Array($0.utf8)) } ?? .missing
    }

    func names(in folder: String) -> FileAnswer<[String]> {
        let names = files.keys.filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }
        return names.isEmpty ? .missing : .found(names.filter { !$0.contains("/") })
    }
}

@Suite struct TestCommandTests {
    private static let rule = """
        [[rule]]
        name = "r"
        symbol = "btcinr"
        max = 110


        """

    private static func run(_ line: String, _ files: [String: String]) -> (Run, Int32) {
        let run = Run()
        run.environment.files = MadeFiles(files: files)
        return (run, run(line))
    }

    private static func test(_ expect: String) -> String {
        rule + """
            [[test]]
            name = "fires"
            series = { btcinr = "100 110 100" }
            expect = [\(expect)]

            """
    }

    @Test func passedTestsAreCounted() {
        let good = Self.test(#"{ at = "30s", kind = "fired" }, { at = "1m", kind = "resolved" }"#)
        let (run, code) = Self.run("test a.toml b.toml", ["a.toml": good, "b.toml": good])
        #expect(code == 0)
        #expect(run.output == "2 tests passed\n")
        #expect(run.errors == "")
    }

    @Test(arguments: [
        (
            #"min = "-5%"\#nmax = "+10%"\#nfrom = "price""#, "100 109.99 110 95",
            #"{ at = "1m", kind = "fired", limit = 110 }, { at = "90s", kind = "resolved", limit = 110 }, "#
                + #"{ at = "90s", kind = "fired", bound = "min", limit = 95 }"#
        ),
        // The first test poll is at 23:59, the third at midnight.
        (
            #"max = "+10%"\#nfrom = 2026-01-02"#, "100 101 112",
            #"{ at = "1m", kind = "fired", limit = "111.1", reason = "already_breached" }"#
        ),
        (#"max = "+10%"\#nfrom = "100""#, "109 110", #"{ at = "30s", kind = "fired", limit = 110 }"#),
        (
            #"max = "+10%"\#nfrom = "price"\#ncurrency = "USD""#, "100 109 110",
            #"{ at = "1m", kind = "fired", limit = "2.2", currency = "USD" }"#
        ),
        (#"max = "+10%"\#nfrom = 2026-01-01"#, "100 200", ""),
    ])
    func limitsMayBeRelative(keys: String, prices: String, expect: String) {
        let file = """
            start = 2026-01-01T23:59:00Z
            [[rule]]
            symbol = "btcinr"
            \(keys)
            [[test]]
            name = "relative"
            series = { btcinr = "\(prices)" }
            rates = { USD = 1, INR = 50 }
            expect = [\(expect)]
            """
        let (run, code) = Self.run("test a.toml", ["a.toml": file])
        #expect(code == 0 && run.output == "1 test passed\n", "\(run.output)\(run.errors)")
    }

    @Test func aChartShowsWhatHappenedWhere() {
        let good = Self.test(#"{ at = "30s", kind = "fired" }, { at = "1m", kind = "resolved" }"#)
        let (run, code) = Self.run("test a.toml --chart", ["a.toml": good])
        #expect(code == 0)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("btcinr  ₹100.00  0.00%  fires") == true, "\(lines.first ?? "")")
        #expect(lines.contains { $0.contains("max ₹110.00 r") && $0.contains("●") && $0.hasSuffix("┤ 110") })
        #expect(lines.contains { $0.hasSuffix("○┤ 100") })
        #expect(lines.contains { $0.hasSuffix("Limits: max ₹110.00 r. Events: 1 fired, 1 resolved.") })
        #expect(lines.last == "1 test passed")
        let (plain, _) = Self.run("test a.toml --chart --json", ["a.toml": good])
        #expect(!plain.output.contains("┤"), "charts are for people")
    }

    @Test func aFailedTestShowsWhatWasExpectedAndWhatCame() {
        let bad = Self.test(#"{ at = "30s", kind = "fired", price = 111 }, { at = "0s", kind = "resolved" }"#)
        let (run, code) = Self.run("test a.toml", ["a.toml": bad])
        #expect(code == 1)
        #expect(
            run.output == """
                a.toml:6: failed: fires
                  -  0s  resolved  (btcinr 100)
                  - 30s  fired, price 111
                  + 30s  fired max of "r" on btcinr, price 110: price is 110, not 111
                  +  1m  resolved max of "r" on btcinr, price 100
                1 of 1 test failed

                """)
    }

    @Test func programsGetOneLineATest() {
        let bad = Self.test(#"{ at = "30s", kind = "fired" }"#)
        let (run, code) = Self.run("test --plain a.toml", ["a.toml": bad])
        #expect(code == 1)
        #expect(
            run.output == "a.toml\t6\tfires\tfalse\t1m: unexpected: resolved max of \"r\" on btcinr, price 100\n")
        let (json, _) = Self.run("test --json a.toml", ["a.toml": bad])
        #expect(json.output.contains(#""passed":false"#))
    }

    @Test func aFileWithErrorsIsShownWithPlaceAndCaret() {
        let (run, code) = Self.run("test a.toml", ["a.toml": Self.test("").replacing("100 110", with: "100 1l0")])
        #expect(code == 6)
        #expect(run.output == "")
        #expect(
            run.errors == """
                alertctl: nothing was done because the files contain errors:
                a.toml:8:26: error: `1l0` is not a price or keyword; use prices, quiet, frozen, unusable, missing \
                or gap LENGTH
                    series = { btcinr = "100 1l0 100" }
                                             ^
                1 error

                """)
        let (none, missing) = Self.run("test none.toml", [:])
        #expect(missing == 6)
        #expect(none.errors.contains("none.toml: error: cannot be read: no such file"))
    }
}
