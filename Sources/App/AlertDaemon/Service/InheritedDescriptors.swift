internal import Control
internal import Glibc
internal import ServiceManager

/// The descriptors that the service manager passed to this process, by purpose: the sockets, which belong to a socket
/// unit or were stored by an earlier process, and the connections of event readers.
struct InheritedDescriptors {
    /// The names under which descriptors are stored.
    enum Name {
        static let control = "control"
        static let events = "events"
        static let metrics = "metrics"
        static let reader = "reader"
        static let cursors = "reader-cursors"
    }

    struct Socket: Equatable {
        var descriptor: Int32
        var path: String
        /// True if the socket belongs to a socket unit; otherwise an earlier process stored it.
        var isOfUnit = false
    }

    private(set) var control: Socket?
    private(set) var events: Socket?
    /// The sockets of `alertd-metrics.socket`.
    private(set) var metrics: [Int32] = []
    private(set) var readers: [Int32] = []
    /// The positions of the readers; nil if none were stored.
    private(set) var cursors: ConnectionTable?
    /// Unused descriptors.
    private(set) var unknown: [PassedDescriptor] = []

    /// - Parameters:
    ///   - passed: the descriptors in the order in which they were passed.
    ///   - isReachable: returns true if there is a socket at a path.
    init(_ passed: [PassedDescriptor], isReachable: (String) -> Bool = isSocket) {
        for descriptor in passed where !adopt(descriptor, isReachable) { unknown.append(descriptor) }
    }

    private mutating func adopt(_ passed: PassedDescriptor, _ isReachable: (String) -> Bool) -> Bool {
        switch passed.kind {
        case .listener(let path):
            let isStored = [Name.control, Name.events].contains(passed.name)
            let socket = Socket(descriptor: passed.descriptor, path: path, isOfUnit: !isStored)
            guard isReachable(path) else { return false }
            switch Self.role(passed.name, path) {
            case Name.control where control == nil: control = socket
            case Name.events where events == nil: events = socket
            case Name.metrics: metrics.append(passed.descriptor)
            default: return false
            }
        case .networkListener:
            guard passed.name == Name.metrics else { return false }
            metrics.append(passed.descriptor)
        case .connection:
            guard passed.name == Name.reader else { return false }
            readers.append(passed.descriptor)
        case .file:
            guard passed.name == Name.cursors, cursors == nil else { return false }
            cursors = ConnectionTable(adopting: passed.descriptor)
            return cursors != nil
        case .other: return false
        }
        return true
    }

    /// Returns the role of a socket. All sockets of a unit are passed with the same name, so they are told apart by
    /// their file names.
    private static func role(_ name: String, _ path: String) -> String? {
        if [Name.control, Name.events, Name.metrics].contains(name) { return name }
        return switch path.split(separator: "/").last.map(String.init) {
        case ControlInterface.name: Name.control
        case DaemonOptions.eventSocketName: Name.events
        default: nil
        }
    }

    /// Closes the unused descriptors and removes them from the service manager's fd store, unless their name is in
    /// use.
    ///
    /// - Returns: a sentence for each closed descriptor.
    func closeUnknown(_ services: ServiceManager) -> [String] {
        unknown.map { passed in
            let text = passed.kind.text
            close(passed.descriptor)
            // Removing a name removes all descriptors that are stored with it, so the names in use stay. An unknown
            // descriptor with such a name stays stored until the service stops.
            if ![Name.control, Name.events, Name.metrics, Name.reader, Name.cursors].contains(passed.name) {
                services.forget(name: passed.name)
            }
            return "closed the unexpected descriptor '\(passed.name)': \(text)"
        }
    }
}

extension PassedDescriptor.Kind {
    fileprivate var text: String {
        switch self {
        case .listener(let path): "a socket at \(path) that alertd does not use or that cannot be reached"
        case .networkListener: "a network socket that alertd does not use"
        case .connection: "a connection that is not a reader"
        case .file: "a file that alertd did not store"
        case .other: "not a listening Unix stream socket"
        }
    }
}

private func isSocket(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
}
