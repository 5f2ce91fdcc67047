package import Events

// The raw values are the same as in the core, so a case added to the core needs no change here.

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
