// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// The section “Settings” of the ``description``.
    static let settingsText = """
        ## Settings

        # Where the current settings come from.
        type ConfigurationStatus (
          # The files, in the order in which they were read; at most 200.
          files: []string,
          # When they were read.
          loaded: string,
          # When and why the last reload failed; null if it succeeded.
          last_reload_failed: ?string,
          last_reload_message: ?string,
          # The names of the credentials that the service manager passed; at most 200.
          credentials: ?[]string
        )

        # What a reload changed, by rule name.
        type ReloadResult (
          added: []string,
          removed: []string,
          changed: []string,
          kept: []string,
          # The keys of changed settings that take effect only after a restart.
          needs_restart: []string,
          warnings: []string
        )

        """
}
