/// The interface `org.alertd.Control` that daemon and tool share.
///
/// Fields may be added to its replies, never removed, renamed or given another meaning.
package enum ControlInterface {
    package static let name = "org.alertd.Control"

    /// The methods; the raw values are their names on the wire.
    package enum Method: String, CaseIterable, Sendable {
        case status = "Status"
        case listTickers = "ListTickers"
        case getSymbol = "GetSymbol"
        case listAlerts = "ListAlerts"
        case listRules = "ListRules"
        /// Answers again and again; needs the flag `more`.
        case monitorEvents = "MonitorEvents"
        /// Changes something: not for everybody.
        case reload = "Reload"
        /// Changes something: not for everybody.
        case poll = "Poll"
        case listPrices = "ListPrices"
        case listBars = "ListBars"
        case exportPrices = "ExportPrices"
        /// Changes something: not for everybody.
        case importPrices = "ImportPrices"
        case listEvents = "ListEvents"
        /// Answers again and again; needs the flag `more`. Reads everything: not for everybody.
        case backup = "Backup"
        case rates = "Rates"
        case convert = "Convert"
        case explain = "Explain"
        /// Changes something: not for everybody.
        case addSilence = "AddSilence"
        case listSilences = "ListSilences"
        /// Changes something: not for everybody.
        case expireSilences = "ExpireSilences"
        /// Changes something: not for everybody.
        case acknowledge = "Acknowledge"
        /// Changes something: not for everybody.
        case arm = "Arm"
        /// Changes something: not for everybody.
        case drill = "Drill"
        /// Changes something: not for everybody.
        case setLimit = "SetLimit"
        case listOverrides = "ListOverrides"
        /// Changes something: not for everybody.
        case resetLimits = "ResetLimits"

        /// The name with that of the interface, as a call carries it.
        package var qualifiedName: String { "\(ControlInterface.name).\(rawValue)" }
    }

    /// The errors that methods of this interface answer; the raw values are their names on the wire.
    package enum ErrorName: String, CaseIterable, Sendable {
        /// Carries a ``NoSuchSymbol``.
        case noSuchSymbol = "NoSuchSymbol"
        /// Carries a ``ReloadFailed``.
        case reloadFailed = "ReloadFailed"
        /// Carries a ``PollTooSoon``.
        case pollTooSoon = "PollTooSoon"
        /// Carries a ``StoreFailed``.
        case storeFailed = "StoreFailed"
        /// Carries an ``Unconvertible``.
        case unconvertible = "Unconvertible"
        /// Carries a ``NoSuchRule``.
        case noSuchRule = "NoSuchRule"
        /// Carries a ``NoSuchThing``.
        case noSuchThing = "NoSuchThing"
        /// Carries a ``Refused``.
        case refused = "Refused"

        /// The name with that of the interface, as a reply carries it.
        package var qualifiedName: String { "\(ControlInterface.name).\(rawValue)" }
    }
}

/// What a method without parameters is asked, and an answer without values: an empty object.
package struct Nothing: Codable, Equatable, Sendable {
    package init() {}
}
