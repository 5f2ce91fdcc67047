package import EventLoop
internal import HTTP
internal import JSON
internal import NATS
package import Receivers
internal import Time

/// A store for the record of a lease, such as a key of NATS. Tests implement it without a server.
@LoopActor
package protocol LeaseStore: AnyObject {
    /// Returns the record and its revision, or nil if there is none.
    func read() async throws(LeaseError) -> (record: LeaseRecord, revision: UInt64)?

    /// Replaces the record if it still has this revision.
    ///
    /// - Returns: The new revision, or nil if another daemon was faster.
    func write(_ record: LeaseRecord, over revision: UInt64) async throws(LeaseError) -> UInt64?
}

/// The reason why the record could not be read or written, as text for people.
package struct LeaseError: Error, Equatable, Sendable {
    package var text: String
}

@LoopActor
final class NATSLeaseStore: LeaseStore {
    private let key: NATSKey
    private let servers: [NATSServer]
    private let environment: NotificationEnvironment
    private let settings: LeaseSettings
    private var hasStore = false

    init(_ settings: LeaseSettings, _ environment: NotificationEnvironment) {
        self.settings = settings
        self.environment = environment
        key = NATSKey(bucket: settings.bucket, name: settings.key)
        servers = settings.urls.compactMap { NATSServer($0) }
    }

    func read() async throws(LeaseError) -> (record: LeaseRecord, revision: UInt64)? {
        try await ask { client throws(NATSError) in
            if !self.hasStore {
                // The reply does not matter: a store that exists already may have other settings.
                _ = try await client([self.key.creation])
                self.hasStore = true
            }
            guard let value = try NATSKey.value(try await client([self.key.question])[0]) else { return nil }
            // A record that cannot be read is replaced once it is no longer renewed.
            let record = LeaseRecord(value.bytes) ?? LeaseRecord(holder: "", name: "unknown")
            return (record, value.revision)
        }
    }

    func write(_ record: LeaseRecord, over revision: UInt64) async throws(LeaseError) -> UInt64? {
        try await ask { client throws(NATSError) in
            switch try NATSKey.change(try await client([self.key.change(to: record.bytes, from: revision)])[0]) {
            case .done(let revision): revision
            case .conflict: nil
            }
        }
    }

    private typealias Client = @LoopActor ([NATSRequest]) async throws(NATSError) -> [NATSReply]

    private func ask<Value>(
        _ body: @LoopActor (Client) async throws(NATSError) -> Value
    ) async throws(LeaseError) -> Value {
        let client: any NotificationSending
        let credential: String?
        do throws(ReceiverFault) {
            (client, credential) = (environment.client(for: settings), try environment.login(of: settings))
        } catch {
            throw LeaseError(text: error.text)
        }
        do throws(NATSError) {
            return try await body { messages throws(NATSError) in
                try await client.ask(
                    NATSPublication(servers: self.servers, credential: credential, messages: messages))
            }
        } catch {
            switch error {
            case .refused(let reason), .failed(let reason): throw LeaseError(text: reason)
            }
        }
    }
}

extension LeaseRecord {
    private static let limit = 64 << 10
    /// The maximum length of a name. Names in settings are no longer than this, and neither are most host names.
    private static let nameLimit = 64

    /// The record as JSON:
    /// `{"holder":"…","name":"one","released":false,"polled":{"wazirx":1795271999000},"oldest":{}}`.
    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("holder", holder)
        writer.member("name", name)
        writer.key("released")
        writer.bool(isReleased)
        for (key, times) in [("polled", polled), ("oldest", oldest)] {
            writer.key(key)
            writer.beginObject()
            for (name, time) in times.sorted(by: { $0.key < $1.key }) {
                writer.key(name)
                writer.integer(time.milliseconds)
            }
            writer.endObject()
        }
        writer.endObject()
        return writer.bytes
    }

    /// Parses a record. Nil for anything else.
    package init?(_ bytes: [UInt8]) {
        guard let document = try? JSONDocument(bytes, limit: Self.limit), var object = try? document.root.object(),
            let holder = try? object.member("holder")?.string(), let name = try? object.member("name")?.string()
        else { return nil }
        let isReleased = (try? object.member("released")?.bool()) ?? false
        self.init(
            holder: holder, name: Self.plain(name), isReleased: isReleased,
            polled: Self.times(object.member("polled")), oldest: Self.times(object.member("oldest")))
    }

    /// Returns the name in printable ASCII. The name is shown to people, and stored with each event that the other
    /// daemon has notified.
    private static func plain(_ name: String) -> String {
        let characters = name.unicodeScalars.prefix(nameLimit).map { scalar in
            (0x20...0x7E).contains(scalar.value) ? Character(scalar) : "?"
        }
        return String(characters)
    }

    private static func times(_ value: JSONValue?) -> [String: WallTime] {
        let members = (try? value?.object())?.members ?? []
        let times = members.compactMap { key, value in
            (try? value.integer()).map { (key, WallTime(milliseconds: Int64($0))) }
        }
        return Dictionary(times) { first, _ in first }
    }
}
