import Foundation
import Testing

@testable import AlertDaemon

struct BootIdentityTests {
    private let digits = "0123456789abcdef0123456789abcdef"

    @Test func theUnitsWordCounts() {
        #expect(bootIdentity(environment: { $0 == "ALERTD_BOOT_ID" ? digits : nil }) == digits)
    }

    @Test(arguments: [nil, "", "%b", "0123", "0123456789abcdef0123456789abcdeg"])
    func withoutItTheKernelIsAsked(variable: String?) throws {
        let kernel = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        let identity = bootIdentity(environment: { _ in variable })
        #expect(identity == kernel.trimmingCharacters(in: .newlines).replacing("-", with: ""))
    }

    @Test(arguments: ["/nonexistent", "/dev/null", "/dev/zero", "/"])
    func whereNobodySaysNoBootHasAName(file: String) {
        #expect(bootIdentity(environment: { _ in nil }, file: file).isEmpty)
    }
}
