internal import EventLoop

/// What libcurl wants to know of its descriptors.
///
/// The socket of a connection that stays open remains watched between requests: to stop and start again takes a tenth
/// of the time of a poll. If something happens there meanwhile, it is the end of the connection, or something that
/// nobody asked for, and then it is no longer watched.
@LoopActor
final class SocketTable {
    private struct Entry {
        let descriptor: Int32
        let watch: DescriptorWatch
        /// Whether nobody wants to know what happens.
        var isResting = false
    }

    /// Most often one.
    private var entries: [Entry] = []
    /// The sockets of connections that tell when they are closed. Only they may rest: the kernel forgets a descriptor
    /// that is closed, and another one may get its number.
    private var known: [Int32] = []

    /// Whether nobody wants to know what happens to any descriptor.
    var isIdle: Bool { entries.allSatisfy(\.isResting) }

    /// How many are watched although nobody wants to know what happens.
    var restingCount: Int { entries.count(where: \.isResting) }

    /// Watches a descriptor until it is to ``rest(_:)``, or is closed.
    ///
    /// - Parameters:
    ///   - descriptor: an open descriptor.
    ///   - interest: what to watch for.
    ///   - priority: what comes before it when several things are ready.
    ///   - action: called with what happened; not used for a descriptor that is watched already.
    func watch(
        _ descriptor: Int32, for interest: Readiness, priority: LoopPriority,
        action: @escaping @LoopActor (Readiness) -> Void
    ) {
        if let place = place(of: descriptor) {
            entries[place].isResting = false
            entries[place].watch.interest = interest
            return
        }
        let watch = DescriptorWatch(descriptor, for: interest, priority: priority) { [weak self] readiness in
            guard let self else { return }
            let isResting = place(of: descriptor).map { entries[$0].isResting } ?? false
            if isResting { end(descriptor) } else { action(readiness) }
        }
        entries.append(Entry(descriptor: descriptor, watch: watch))
    }

    /// Notes that nobody wants to know what happens to a descriptor until it is watched again.
    func rest(_ descriptor: Int32) {
        guard let place = place(of: descriptor), known.contains(descriptor), entries[place].watch.interest == .readable
        else { return end(descriptor) }
        entries[place].isResting = true
    }

    /// Notes that a connection has a new socket, which it will tell of when it closes it.
    func opened(_ descriptor: Int32) {
        end(descriptor)
        known.append(descriptor)
    }

    /// Notes that a connection is about to close its socket.
    func willClose(_ descriptor: Int32) {
        end(descriptor)
        known.removeAll { $0 == descriptor }
    }

    /// What comes before all of them when several things are ready.
    func setPriority(_ priority: LoopPriority) {
        for entry in entries { entry.watch.priority = priority }
    }

    private func end(_ descriptor: Int32) {
        guard let place = place(of: descriptor) else { return }
        entries.remove(at: place).watch.end()
    }

    private func place(of descriptor: Int32) -> Int? {
        entries.firstIndex { $0.descriptor == descriptor }
    }
}
