import Foundation
import Testing
import Time

@Suite("Time zones")
struct TimeZoneFileTests {
    /// A file of version 2: no transitions but those given, and a rule.
    private static func file(
        _ transitions: [(Int64, UInt8)] = [], offsets: [Int32] = [0], rule: String, version: String = "2"
    ) -> [UInt8] {
        var bytes = header(version, times: 0, types: 1) + number(0, 4) + [0, 0] + [UInt8]("ABC\0".utf8)
        bytes += header(version, times: transitions.count, types: offsets.count)
        for transition in transitions { bytes += number(transition.0, 8) }
        bytes += transitions.map(\.1)
        for offset in offsets { bytes += number(Int64(offset), 4) + [0, 0] }
        return bytes + [UInt8]("ABC\0\n\(rule)\n".utf8)
    }

    private static func header(_ version: String, times: Int, types: Int) -> [UInt8] {
        var bytes = [UInt8]("TZif\(version)".utf8)
        bytes += [UInt8](repeating: 0, count: 15)
        for count in [0, 0, 0, times, types, 4] { bytes += number(Int64(count), 4) }
        return bytes
    }

    private static func number(_ value: Int64, _ size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> Int64(8 * $0)) }
    }

    private func offset(_ rule: String, at text: String) throws -> Int64 {
        let zone = try #require(TimeZoneFile(Self.file(rule: rule)), "\(rule)")
        return zone.offsetSeconds(at: try #require(WallTime(rfc3339: text))) / 60
    }

    @Test(arguments: [
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T00:59:59Z", 60),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T01:00:00Z", 120),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T00:59:59Z", 120),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T01:00:00Z", 60),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-12-31T23:59:59Z", 60),
        ("EST5EDT,M3.2.0,M11.1.0", "2026-03-08T06:59:59Z", -300),
        ("EST5EDT,M3.2.0,M11.1.0", "2026-03-08T07:00:00Z", -240),
        ("EST5EDT,M3.2.0,M11.1.0", "2026-11-01T05:59:59Z", -240),
        ("EST5EDT,M3.2.0,M11.1.0", "2026-11-01T06:00:00Z", -300),
        ("<+0530>-5:30", "2026-07-01T00:00:00Z", 330), ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-01-01T00:00:00Z", 0),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-07-01T00:00:00Z", 60),
        ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-01-01T00:00:00Z", 660),
        ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-06-01T00:00:00Z", 600),
        ("AAA3BBB,J60,J300", "2028-03-01T04:59:59Z", -180), ("AAA3BBB,J60,J300", "2028-03-01T05:00:00Z", -120),
        ("AAA3BBB,59,299", "2028-02-29T05:00:00Z", -120),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T00:59:59Z", -120),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", -60),
    ])
    func rulesHoldInYearsToCome(rule: String, time: String, minutes: Int64) throws {
        #expect(try offset(rule, at: time) == minutes)
    }

    @Test func transitionsComeFirst() throws {
        let bytes = Self.file([(1_000, 1), (2_000, 0)], offsets: [3_600, 7_200], rule: "UTC0")
        let zone = try #require(TimeZoneFile(bytes))
        let offsets = [-5, 999_999, 1_000_000, 1_999_999, 2_000_000].map {
            zone.offsetSeconds(at: WallTime(milliseconds: $0))
        }
        #expect(offsets == [3_600, 3_600, 7_200, 7_200, 0])
        let plain = try #require(TimeZoneFile(Self.file([(1_000, 1)], offsets: [0, 60], rule: "")))
        #expect(plain.offsetSeconds(at: WallTime(milliseconds: 9_000_000)) == 60)
    }

    /// No prefix, no changed byte and no wrong rule is read as something else than a zone, or stops the program.
    @Test func damagedFilesAreRefused() throws {
        let whole = Self.file([(1_000, 1)], offsets: [0, 60], rule: "CET-1CEST,M3.5.0,M10.5.0/3")
        for count in whole.indices { #expect(TimeZoneFile(Array(whole.prefix(count))) == nil, "\(count)") }
        for index in whole.indices {
            for byte in [0, 0x7F, 0xFF] as [UInt8] {
                var other = whole
                other[index] = byte
                _ = TimeZoneFile(other)?.offsetSeconds(at: WallTime(milliseconds: 1_700_000_000_000))
            }
        }
        for rule in [
            "CET", "CET-1CEST", "CET-1CEST,M13.1.0,M1.1.0", "CET-1CEST,M3.6.0,M1.1.0", "C-1", "<+1-1", "X5,J0,J1",
        ] {
            #expect(TimeZoneFile(Self.file(rule: rule)) == nil, "\(rule)")
        }
        #expect(TimeZoneFile(Self.file(rule: "UTC0", version: "\0")) == nil)
        #expect(TimeZoneFile([UInt8](repeating: 0, count: TimeZoneFile.largest + 1)) == nil)
    }

    @Test func namesAreNoPaths() {
        let good = ["Europe/Stockholm", "America/Argentina/Buenos_Aires", "Etc/GMT+5", "UTC", "EST5EDT"]
        #expect(good.allSatisfy(TimeZoneFile.isName))
        let bad = [
            "", "/etc/passwd", "../x", "Europe/../../etc", "Europe//Stockholm", "europe", "Europe/", "E u", "Å",
            String(repeating: "A", count: 65),
        ]
        #expect(!bad.contains(where: TimeZoneFile.isName))
    }

    /// The zones of this machine, if it has any, against another implementation.
    @Test(arguments: ["Europe/Stockholm", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Europe/Dublin"])
    func isAsFoundationSays(name: String) throws {
        guard let data = FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)"),
            let other = TimeZone(identifier: name)
        else { return }
        let zone = try #require(TimeZoneFile([UInt8](data)))
        for hour in 0..<4_000 as Range<Int64> {
            let time = WallTime(milliseconds: 1_500_000_000_000 + hour * 37 * 3_600_000)
            let expected = other.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000))
            #expect(zone.offsetSeconds(at: time) == Int64(expected), "\(time)")
        }
    }
}
