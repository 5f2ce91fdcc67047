import EventLoop
import Foundation
import TestSupport
import Testing

@testable import HTTP

/// Descriptors of real connections.
@Suite struct SocketTableTests {
    @Test func onlySocketsThatAreKnownRest() async throws {
        try await onLoop {
            let scene = try Scene(isKnown: false)
            scene.table.watch(scene.client, for: .readable, priority: .standard) { _ in }
            scene.table.rest(scene.client)
            #expect(scene.table.restingCount == 0 && scene.table.isIdle)
        }
    }

    @Test func whatHappensToARestingOneEndsTheWatch() async throws {
        try await onLoop {
            let scene = try Scene()
            #expect(scene.table.restingCount == 1)
            try scene.send(1)
            try await until { scene.table.restingCount == 0 }
            #expect(scene.reports == 0)
            scene.request()
            try await until { scene.reports > 0 }
        }
    }

    @Test func whatIsClosedIsForgotten() async throws {
        try await onLoop {
            let scene = try Scene()
            scene.table.willClose(scene.client)
            #expect(scene.table.restingCount == 0)
            scene.table.watch(scene.client, for: .readable, priority: .standard) { _ in }
            scene.table.rest(scene.client)
            #expect(scene.table.restingCount == 0)
            // A new socket that got the number of one that is still watched.
            let other = try Scene()
            other.table.opened(other.client)
            #expect(other.table.restingCount == 0)
        }
    }
}

/// A connection whose client's end rests in a table.
@LoopActor
private final class Scene {
    let table = SocketTable()
    let client: Int32
    private(set) var reports = 0
    private var server: Int32

    init(isKnown: Bool = true) throws {
        let listener = try listenOnLoopback()
        defer { close(listener.descriptor) }
        client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = listener.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let descriptor = client
        let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        server = accept(listener.descriptor, nil, nil)
        try #require(isConnected && server >= 0)
        guard isKnown else { return }
        table.opened(client)
        request()
        table.rest(client)
    }

    isolated deinit {
        table.willClose(client)
        close(client)
        hangUp()
    }

    /// Watches as for the response to a request.
    func request() {
        table.watch(client, for: .readable, priority: .standard) { [weak self] _ in
            self?.reports += 1
        }
    }

    func send(_ count: Int) throws {
        let bytes = [UInt8](repeating: 0, count: count)
        try #require(unsafe Foundation.send(server, bytes, count, 0) == count)
    }

    func hangUp() {
        guard server >= 0 else { return }
        close(server)
        server = -1
    }
}
