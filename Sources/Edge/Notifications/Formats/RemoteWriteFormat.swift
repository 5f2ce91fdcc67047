internal import HTTP
internal import Receivers
internal import Time

/// The format of Prometheus' remote write 1.0, which VictoriaMetrics, Mimir and Thanos also accept: prices instead of
/// events. A test is a request without prices.
struct RemoteWriteFormat: ReceiverFormat {
    private let target: ReceiverTarget

    init(_ target: ReceiverTarget) { self.target = target }

    func messages(for notification: Notification) -> [OutgoingMessage] { [request([])] }

    func message(with prices: [PriceSeries]) -> OutgoingMessage? { request(prices) }

    private func request(_ series: [PriceSeries]) -> OutgoingMessage {
        var headers = [
            "Content-Type": "application/x-protobuf", "Content-Encoding": "snappy",
            "X-Prometheus-Remote-Write-Version": "0.1.0",
        ]
        headers["Authorization"] = target.authorization
        let instance = target.receiver.value(.instance) ?? Receiver.standardInstance
        return .request(
            HTTPRequest(
                .post, target.url, headers: headers, body: WriteRequest.bytes(series, instance: instance)))
    }

    /// Classifies a response. Status 400 also rejects prices that are older than the newest ones that the service
    /// has.
    func decision(on response: HTTPResponse, at now: WallTime) -> DeliveryDecision {
        response.generalDecision(at: now, for: target)
    }
}
