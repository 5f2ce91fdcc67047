package import Events

// The words of the interface are those of the core, so that a word that is added there travels as it is.

extension ControlInterface.EventKind {
    /// The word for a kind; it has the same text.
    package init(_ kind: EventKind) {
        self.init(rawValue: kind.rawValue)
    }
}

extension ControlInterface.Reason {
    /// The word for a reason; it has the same text.
    package init(_ reason: Reason) {
        self.init(rawValue: reason.rawValue)
    }
}

extension ControlInterface.Bound {
    /// The word for a bound; it has the same text.
    package init(_ bound: Bound) {
        self.init(rawValue: bound.rawValue)
    }
}

extension ControlInterface.Severity {
    /// The word for a severity; it has the same text.
    package init(_ severity: Severity) {
        self.init(rawValue: severity.rawValue)
    }
}
