internal import Control
internal import Delivery
internal import EventLoop
internal import Events
internal import Journal
internal import Varlink

/// Calls that belong together; each group gets only what it needs.
@LoopActor
protocol CallGroup {
    var handlers: [(ControlInterface.Method, VarlinkMethod)] { get }
}

/// Who may change something, and the record of who did.
@LoopActor
struct ControlAccess {
    let permission: Permission
    let log: Log

    /// The caller.
    ///
    /// - Throws: `PermissionDenied` unless the caller may change something.
    @discardableResult
    func changer(_ call: VarlinkCall) throws(VarlinkError) -> UserIdentity {
        guard permission.mayChange(call.peer) else { throw .permissionDenied }
        return UserIdentity(call.peer)
    }

    /// Writes to the log what somebody changed.
    func record(_ change: String) {
        log.notice(change, id: .changedByHand)
    }
}

/// Reads an optional parameter; nil when it is absent.
///
/// - Throws: `InvalidParameter` when `parse` returns nil for it.
func optional<Text, Value>(
    _ text: Text?, named name: String, _ parse: (Text) -> Value?
) throws(VarlinkError) -> Value? {
    guard let text else { return nil }
    guard let value = parse(text) else { throw .invalidParameter(name) }
    return value
}
