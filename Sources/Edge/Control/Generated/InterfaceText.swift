// Made from org.alertd.Control.varlink by `make generate`; do not edit.

extension ControlInterface {
    /// The beginning of the ``description``.
    static let interfaceText = """
        # The control interface of alertd. Prices, limits and rates are decimal strings, so that nothing is rounded.
        # Times are RFC 3339 in UTC with milliseconds; names that end in `_ms` are durations in milliseconds. Optional
        # fields may be null or absent. Later versions may add fields, methods and words; they do not remove, rename or
        # redefine any. Clients ignore fields and tolerate words that they do not know.
        interface org.alertd.Control

        """
}
