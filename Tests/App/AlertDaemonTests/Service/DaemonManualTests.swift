import Arguments
import Control
import Manual
import TestSupport
import Testing

@testable import AlertDaemon

struct DaemonManualTests {
    @Test func eachOptionAndExitCodeIsThere() throws {
        let page = try #require(DaemonOptions.manualPage("alertd.8"))
        #expect(page.hasPrefix(".TH \"ALERTD\" \"8\" \"\(Version.date)\""))
        for option in DaemonOptions.commandLine.options {
            #expect(page.contains("\\-\\-\(option.name.replacing("-", with: "\\-"))\\fR"), "\(option.name)")
        }
        for code in DaemonOptions.commandLine.exitCodes { #expect(page.contains(".TP\n\\fB\(code.code)\\fR\n")) }
        for section in ["SIGNALS", "ENVIRONMENT", "FILES", "METRICS", "SEE ALSO"] {
            #expect(page.contains(".SH \"\(section)\""))
        }
    }

    @Test func thePagesOfTheWholeAreWrittenByTheDaemon() {
        for name in ManualPages.names { #expect(DaemonOptions.manualPage(name) == ManualPages.page(name)) }
        #expect(DaemonOptions.manualPage("nothing.1") == nil)
    }

    @Test(.enabled(if: ManualReader.mandoc.isInstalled, "mandoc is not installed"))
    func mandocFindsNoFault() throws {
        #expect(try ManualReader.mandoc.faults(in: try #require(DaemonOptions.manualPage("alertd.8"))) == "")
    }

    @Test(.enabled(if: ManualReader.groff.isInstalled, "groff is not installed"))
    func groffFindsNoFault() throws {
        #expect(try ManualReader.groff.faults(in: try #require(DaemonOptions.manualPage("alertd.8"))) == "")
    }
}
