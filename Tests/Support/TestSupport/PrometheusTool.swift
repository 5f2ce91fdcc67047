internal import Foundation

/// The path of one of Prometheus' own programs, which `make test` unpacks; otherwise where its package installs it.
package func prometheusTool(_ name: String) -> String {
    (ProcessInfo.processInfo.environment["ALERTD_PROMETHEUS_TOOLS"] ?? "/usr/bin") + "/" + name
}

/// The path of a server of `Scripts/test-servers`, such as `sbin/nats-server`: where they were unpacked, else where
/// Debian installs them.
package func testServer(_ name: String) -> String {
    (ProcessInfo.processInfo.environment["ALERTD_TEST_SERVERS"] ?? "/usr") + "/" + name
}

/// Where the libraries of these servers are, whatever the architecture, for `LD_LIBRARY_PATH`.
package func testServerLibraries() throws -> String {
    let folder = testServer("lib")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix("-linux-gnu") }
    return names.map { "\(folder)/\($0)" }.joined(separator: ":")
}
