import ExchangeRates
import Foundation
import Market
import ReferenceRateFiles
import Testing
import Time

func day(_ year: Int64, _ month: Int64, _ day: Int64) throws -> CivilDate {
    try #require(CivilDate(year: year, month: month, day: day))
}

extension RateTable {
    /// The rate as written in the file; nil where there is none.
    func text(_ name: String) -> String? {
        Currency(name).flatMap { self[$0]?.description }
    }
}

/// An XML file with the given `Cube` elements of dates.
func xml(_ cubes: String) -> [UInt8] {
    Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" \
        xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
        <gesmes:subject>Reference rates</gesmes:subject>
        <gesmes:Sender><gesmes:name>Made-up Bank</gesmes:name></gesmes:Sender>
        <Cube>
        \(cubes)
        </Cube></gesmes:Envelope>
        """.utf8)
}

/// The first line of what is given to ``xml(_:)``.
let firstCubeLine = 6

let daily = """
    <Cube time='2026-04-13'>
    <Cube currency='USD' rate='1.1684'/>
    <Cube currency='SEK' rate='10.8920'/>
    <Cube currency='INR' rate='109.0470'/>
    </Cube>
    """

let history = """
    <Cube time="2026-04-13"><Cube currency="USD" rate="1.1684"/><Cube currency="SEK" rate="10.8920"/></Cube>
    <Cube time="2026-04-10"><Cube currency="USD" rate="1.17"/><Cube currency="BGN" rate="1.9558"/></Cube>
    """

/// Why the file is refused; nil when it is not.
func refusal(_ file: [UInt8], limits: RateFileLimits = RateFileLimits()) -> RateFileError? {
    do {
        _ = try RateHistory(file: file, limits: limits)
        return nil
    } catch {
        return error
    }
}

func refusal(_ text: String) -> RateFileError? { refusal(Array(text.utf8)) }

/// The folder of recorded files, where there is one.
let recordings: URL? = ProcessInfo.processInfo.environment["ALERTD_RECORDED_DATA"]
    .map { URL(fileURLWithPath: $0).appending(path: "ecb") }
