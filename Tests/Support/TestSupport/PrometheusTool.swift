internal import Foundation

/// The path of one of Prometheus' own programs, which `make test` unpacks; otherwise where its package installs it.
package func prometheusTool(_ name: String) -> String {
    (ProcessInfo.processInfo.environment["ALERTD_PROMETHEUS_TOOLS"] ?? "/usr/bin") + "/" + name
}
