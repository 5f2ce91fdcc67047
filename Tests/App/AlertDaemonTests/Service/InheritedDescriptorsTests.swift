import EventLoop
import Foundation
import Glibc
import HTTPServer
import ServiceManager
import TestSupport
import Testing

@testable import AlertDaemon

@Suite(.timeLimit(.minutes(10)))
struct InheritedDescriptorsTests {
    /// Sockets at paths that tests make up, and all that has to be closed.
    @LoopActor
    private final class Scene {
        let folder = NSTemporaryDirectory() + "alertd-\(UUID().uuidString.prefix(8))"
        private var listeners: [UnixListener] = []
        private var others: [Int32] = []

        init() throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }

        isolated deinit {
            for listener in listeners { listener.stop() }
            for descriptor in others { close(descriptor) }
            try? FileManager.default.removeItem(atPath: folder)
        }

        func listener(_ file: String, name: String) throws -> PassedDescriptor {
            let listener = try UnixListener(path: "\(folder)/\(file)", mode: 0o600)
            listeners.append(listener)
            return PassedDescriptor(listener.descriptor, name: name)
        }

        func connection(name: String) throws -> PassedDescriptor {
            var pair: [Int32] = [0, 0]
            try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
            others += pair
            return PassedDescriptor(pair[0], name: name)
        }
    }

    @Test func socketsOfOneUnitAreDistinguishedByTheirFiles() async throws {
        try await onLoop {
            let scene = try Scene()
            let passed = [
                try scene.listener("events.sock", name: "alertd.socket"),
                try scene.listener("org.alertd.Control", name: "alertd.socket"),
            ]
            let inheritedDescriptors = InheritedDescriptors(passed)
            #expect(inheritedDescriptors.events?.descriptor == passed[0].descriptor)
            #expect(inheritedDescriptors.control?.descriptor == passed[1].descriptor)
            #expect(inheritedDescriptors.control?.path == "\(scene.folder)/org.alertd.Control")
            #expect(inheritedDescriptors.unknown.isEmpty)
        }
    }

    @Test func aNameCountsMoreThanTheFile() async throws {
        try await onLoop {
            let scene = try Scene()
            let passed = [
                try scene.listener("a", name: "control"), try scene.listener("org.alertd.Control", name: "events"),
            ]
            let inheritedDescriptors = InheritedDescriptors(passed)
            #expect(inheritedDescriptors.control?.descriptor == passed[0].descriptor)
            #expect(inheritedDescriptors.events?.descriptor == passed[1].descriptor)
        }
    }

    @Test func socketsForMetricsMayBeOfBothKinds() async throws {
        try await onLoop {
            let scene = try Scene()
            let network = try ListenAddress("127.0.0.1:0").listen()
            let other = try ListenAddress("[::1]:0").listen()
            defer { for descriptor in [network, other] { close(descriptor) } }
            let passed = [
                try scene.listener("metrics.sock", name: "metrics"), PassedDescriptor(network, name: "metrics"),
                PassedDescriptor(other, name: "http"),
            ]
            let inheritedDescriptors = InheritedDescriptors(passed)
            #expect(inheritedDescriptors.metrics == [passed[0].descriptor, network])
            #expect(inheritedDescriptors.unknown == [passed[2]])
        }
    }

    @Test func whatHasNoUseIsUnknown() async throws {
        try await onLoop {
            let scene = try Scene()
            let stranger = try scene.listener("stranger", name: "http")
            let first = try scene.listener("events.sock", name: "x")
            let second = try scene.listener("other/events.sock".replacing("/", with: "-"), name: "events")
            let removed = try scene.listener("org.alertd.Control", name: "control")
            unsafe unlink("\(scene.folder)/org.alertd.Control")
            let reader = try scene.connection(name: "reader")
            let connection = try scene.connection(name: "")
            let pipe = PassedDescriptor(-1, name: "reader-cursors")
            let inheritedDescriptors = InheritedDescriptors([
                stranger, first, second, removed, reader, connection, pipe,
            ])
            #expect(inheritedDescriptors.events?.descriptor == first.descriptor)
            #expect(inheritedDescriptors.control == nil)
            #expect(inheritedDescriptors.readers == [reader.descriptor])
            #expect(inheritedDescriptors.cursors == nil)
            #expect(inheritedDescriptors.unknown == [stranger, second, removed, connection, pipe])
        }
    }

    @Test func whatIsUnknownIsClosedAndSaid() async throws {
        let (sentences, isOpen) = try await onLoop {
            let scene = try Scene()
            let connection = try scene.connection(name: "mine\n")
            let copy = PassedDescriptor(dup(connection.descriptor), name: connection.name)
            let sentences = InheritedDescriptors([copy]).closeUnknown(ServiceManager())
            return (sentences, fcntl(copy.descriptor, F_GETFD) != -1)
        }
        #expect(sentences.count == 1 && sentences[0].contains("mine") && sentences[0].contains("not a reader"))
        #expect(!isOpen)
    }
}
