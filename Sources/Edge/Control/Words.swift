package import Events

// The words of the interface are those of the core, so that a word that is added there travels as it is.

extension ControlInterface.EventKind {
    package init(_ kind: EventKind) {
        self.init(rawValue: kind.rawValue)
    }
}

extension ControlInterface.Reason {
    package init(_ reason: Reason) {
        self.init(rawValue: reason.rawValue)
    }
}

extension ControlInterface.Bound {
    package init(_ bound: Bound) {
        self.init(rawValue: bound.rawValue)
    }
}

extension ControlInterface.Severity {
    package init(_ severity: Severity) {
        self.init(rawValue: severity.rawValue)
    }
}
