import Foundation
import TestSupport
import Testing

/// A fixed set of seeds. Time is virtual for a whole process, so each set has a process of its own.
@Suite("Simulation of the daemon")
struct SimulationTests {
    @Test(arguments: 1...4)
    func aFixedSetOfSeedsHolds(part: Int) async throws {
        let arguments = ["--first", "\(part)", "--stride", "4", "--seeds", "3", "--shrink", "0"]
        let (status, text) = try await simulate(arguments)
        #expect(status == 0, "\(text)")
        #expect(text.contains("in all: 3 seeds, 0 failed"))
    }

    /// Seeds from ten million on have several sources and receivers, those from twenty million on candles and checks;
    /// those from thirty million on restart often, those from forty million on have receivers of several types.
    @Test(arguments: [10_000_001, 20_000_001, 20_000_002, 30_000_001, 40_000_001])
    func aFixedSetOfWideSeedsHolds(first: Int) async throws {
        let arguments = ["--first", "\(first)", "--stride", "2", "--seeds", "3", "--shrink", "0"]
        let (status, text) = try await simulate(arguments)
        #expect(status == 0, "\(text)")
        #expect(text.contains("in all: 3 seeds, 0 failed"))
    }

    /// Each of them found a defect, or something that the simulation expected in vain.
    @Test(arguments: [
        4_600_202, 6_000_382, 6_000_992, 6_002_234, 6_004_627, 6_106_296, 20_000_015, 20_000_956, 20_000_998,
        20_002_856, 30_000_104, 30_000_116, 30_000_539, 30_001_792, 30_003_044, 30_003_554, 30_004_472, 40_000_213,
        42_001_342, 44_001_974, 44_004_508, 44_005_083, 44_007_529,
    ])
    func seedsThatFailedOnceHold(seed: Int) async throws {
        let (status, text) = try await simulate(["--first", "\(seed)", "--seeds", "1", "--shrink", "0"])
        #expect(status == 0, "\(text)")
    }

    /// The same seed does the same in each process.
    @Test func aSeedDecidesEverything() async throws {
        let arguments = ["--first", "5", "--seeds", "1", "--verbose"]
        let first = try await simulate(arguments)
        let second = try await simulate(arguments)
        #expect(first.status == 0)
        let steps = [first, second].map { $0.text.split(separator: "\n").filter { $0.contains(" poll ") } }
        #expect(!steps[0].isEmpty && steps[0] == steps[1])
    }

    /// The release of the simulator that `make test` builds, as it is ten times as fast.
    private static let simulator =
        ProcessInfo.processInfo.environment["ALERTD_SIMULATOR"]
        ?? packageFolder.appending(path: ".build/debug/alertsim").path

    private func simulate(_ arguments: [String]) async throws -> (status: Int32, text: String) {
        try await onThread {
            Result {
                let (code, output) = try ChildProcess.run(
                    Self.simulator, arguments, environment: ["SWIFT_DETERMINISTIC_HASHING": "1"])
                return (code, String(decoding: output, as: UTF8.self))
            }
        }.get()
    }
}
