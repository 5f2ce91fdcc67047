internal import Control
internal import Glibc
internal import ServiceManager

/// What the service manager passed to this process, sorted by what it is for: the sockets of `alertd.socket`, or those
/// that an earlier process left with it, and the readers of the event stream.
struct InheritedDescriptors {
    /// What things are stored under.
    enum Name {
        static let control = "control"
        static let events = "events"
        static let reader = "reader"
        static let places = "reader-places"
    }

    struct Socket: Equatable {
        var descriptor: Int32
        var path: String
    }

    private(set) var control: Socket?
    private(set) var events: Socket?
    private(set) var readers: [Int32] = []
    private(set) var places: ConnectionTable?
    /// What has no use here.
    private(set) var unknown: [PassedDescriptor] = []

    /// - Parameters:
    ///   - passed: in the order in which they were passed.
    ///   - isReachable: whether a socket is where its path says.
    init(_ passed: [PassedDescriptor], isReachable: (String) -> Bool = isSocket) {
        for descriptor in passed where !take(descriptor, isReachable) { unknown.append(descriptor) }
    }

    private mutating func take(_ passed: PassedDescriptor, _ isReachable: (String) -> Bool) -> Bool {
        switch passed.kind {
        case .listener(let path):
            let socket = Socket(descriptor: passed.descriptor, path: path)
            guard isReachable(path) else { return false }
            switch Self.role(passed.name, path) {
            case Name.control where control == nil: control = socket
            case Name.events where events == nil: events = socket
            default: return false
            }
        case .connection:
            guard passed.name == Name.reader else { return false }
            readers.append(passed.descriptor)
        case .file:
            guard passed.name == Name.places, places == nil else { return false }
            places = ConnectionTable(adopting: passed.descriptor)
            return places != nil
        case .other: return false
        }
        return true
    }

    /// A unit has one name for all of its sockets: then the names of the files tell them apart.
    private static func role(_ name: String, _ path: String) -> String? {
        if [Name.control, Name.events].contains(name) { return name }
        return switch path.split(separator: "/").last.map(String.init) {
        case ControlInterface.name: Name.control
        case DaemonOptions.eventSocketName: Name.events
        default: nil
        }
    }

    /// Closes what has no use, here and in the store.
    ///
    /// - Returns: a sentence for each.
    func closeUnknown(_ services: ServiceManager) -> [String] {
        unknown.map { passed in
            let words = passed.kind.words
            close(passed.descriptor)
            // What is stored under a name that is in use goes when the service is stopped.
            if ![Name.control, Name.events, Name.reader, Name.places].contains(passed.name) {
                services.forget(name: passed.name)
            }
            return "closed a descriptor that was passed as “\(passed.name)”: it is \(words)"
        }
    }
}

extension PassedDescriptor.Kind {
    fileprivate var words: String {
        switch self {
        case .listener(let path): "a socket at \(path), and none that alertd knows and can be reached"
        case .connection: "a connection, and none of a reader"
        case .file: "a file, and none that alertd left"
        case .other: "no listening Unix stream socket"
        }
    }
}

private func isSocket(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
}
