internal import EventLoop
internal import Events
internal import Time

extension Pipeline {
    func drill(sink: String?, by user: UserIdentity) -> Event? {
        let target = sink.map { " of the sink \($0)" } ?? ""
        commit([
            Occurrence(
                time: clock.now().wall, kind: .test, severity: .info, sink: sink,
                text: "TEST: drill\(target) by \(user); this is not a real alert")
        ])
        return events.kept.last { $0.occurrence.kind == .test }
    }
}
