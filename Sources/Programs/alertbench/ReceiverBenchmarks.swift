internal import EventLoop
internal import Events
internal import HTTP
internal import Market
internal import Notifications
internal import Receivers
internal import Time

/// Measures the time from a committed event to its request at a webhook on loopback, compared with the bare request.
@LoopActor
func receiverBenchmarks() async throws -> [Row] {
    let exchange = try Exchange(bodies: [Array("{}".utf8)])
    defer { exchange.stop() }
    let host = BenchmarkHost()
    let receiver = Receiver(name: "hook", kind: .webhook, urls: ["http://127.0.0.1:\(exchange.port)/hook"])
    let service = NotificationService(
        ReceiverRouting(receivers: [receiver]), NotificationEnvironment(clock: SystemClock()))
    service.host = host
    var durations: [Duration] = []
    for number in 1...300 {
        var occurrence = sampleEvent(number: Int64(number)).occurrence
        // Old events are not sent.
        occurrence.time = SystemClock().now().wall
        let event = Event(number: Int64(number), occurrence: occurrence)
        host.events = [event]
        let before = exchange.answerCount
        let begin = ContinuousClock.now
        _ = service.append([event])
        service.wake()
        while exchange.answerCount == before { try await sleep(for: .microseconds(200)) }
        durations.append(exchange.answered - begin)
        while service.views.contains(where: { !$0.queued.isEmpty }) { try await sleep(for: .milliseconds(1)) }
    }
    let bare = try await timedRequests(exchange)
    let whole = median(durations)
    return [
        Row(
            name: "an event until its request is at a webhook", figure: readable(whole),
            reference: "the bare request \(readable(bare))", ratio: whole / bare, goal: "under 2 ms")
    ]
}

/// Returns the median time of a request with the same number of bytes, sent without a queue.
@LoopActor
private func timedRequests(_ exchange: Exchange) async throws -> Duration {
    let client = HTTPClient(HTTPConfiguration(userAgent: "alertbench"))
    let body = [UInt8](repeating: 0x20, count: 1_500)
    let request = HTTPRequest(.post, "http://127.0.0.1:\(exchange.port)/hook", body: body)
    var durations: [Duration] = []
    for _ in 1...300 {
        let begin = ContinuousClock.now
        _ = try await client.send(request)
        durations.append(exchange.answered - begin)
    }
    return median(durations)
}

/// A notification host with a single event.
@LoopActor
private final class BenchmarkHost: NotificationHost {
    var events: [Event] = []

    var composer: NotificationComposer {
        NotificationComposer(
            instance: "0123456789abcdef0123456789abcdef", source: SourceName(unchecked: "wazirx"))
    }

    func events(numbered numbers: [Int64]) -> [Event] { events }
    func firingEvents() -> [Event] { [] }
    func ends(since time: WallTime) -> [Event] { [] }
    func suppressedEnds() -> [Event] { [] }
    func previousMessage(before event: Event, at receiver: String) -> String? { nil }
    func formerSeverities(of event: Event) -> [Severity] { [] }
}
