/// The version of the daemon and its tool, which are built and installed together.
package enum Version {
    /// A semantic version.
    package static let current = "0.1.0"
    /// The date of the manual pages: the day of the release, or of the last change since.
    package static let date = "2026-11-21"
    /// The address of the installed documentation.
    package static let home = "file:///usr/share/doc/alertd/README.md"
}
