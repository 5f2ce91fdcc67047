internal import Control
internal import Delivery
internal import EventLoop
internal import Events
internal import Journal
internal import Varlink

/// A group of related calls, created with only the parts of the daemon that it uses.
@LoopActor
protocol CallGroup {
    var handlers: [(ControlInterface.Method, VarlinkMethod)] { get }
}

/// The permission to change something, and the log of the changes that users make.
@LoopActor
struct ControlAccess {
    let permission: Permission
    let log: Log

    /// Returns the caller.
    ///
    /// - Throws: `PermissionDenied` unless the caller may change something.
    @discardableResult
    func changer(_ call: VarlinkCall) throws(VarlinkError) -> UserIdentity {
        guard permission.mayChange(call.peer) else { throw .permissionDenied }
        return UserIdentity(call.peer)
    }

    /// Logs a change that a user has made.
    func record(_ change: String) {
        log.notice(change, id: .changedByHand)
    }
}

/// Reads an optional parameter; returns nil if it is absent.
///
/// - Throws: `InvalidParameter` if `parse` returns nil for it.
func optional<Text, Value>(
    _ text: Text?, named name: String, _ parse: (Text) -> Value?
) throws(VarlinkError) -> Value? {
    guard let text else { return nil }
    guard let value = parse(text) else { throw .invalidParameter(name) }
    return value
}
