// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// The section “Lease” of the ``description``.
    static let leaseText = """
        ## Lease

        # Which of several daemons notifies.
        type LeaseState (
          # This one.
          held,
          # Another one.
          standby,
          # Not known: the daemon has just started, or the NATS server cannot be asked.
          waiting
        )

        # The lease of several daemons, of which one notifies.
        type LeaseStatus (
          # The name of this daemon.
          name: string,
          state: LeaseState,
          # The name of the other daemon that was last seen to hold the lease; null if it was this one, or none.
          holder: ?string,
          # Why the lease could not be renewed or looked at last time; null if it could.
          message: ?string
        )

        """
}
