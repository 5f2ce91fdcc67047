// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// The section “Lease” of the ``description``.
    static let leaseText = """
        ## Lease

        # Which daemon of a group notifies.
        type LeaseState (
          # This one.
          held,
          # Another one.
          standby,
          # Not known: the daemon has just started, or the NATS server cannot be asked.
          waiting
        )

        # The lease that decides which of several daemons notifies.
        type LeaseStatus (
          # The name of this daemon.
          name: string,
          state: LeaseState,
          # The name of the other daemon that was last seen holding the lease; null if it was this one, or none.
          holder: ?string,
          # Why the last attempt to renew or read the lease failed; null if it succeeded.
          message: ?string
        )

        """
}
