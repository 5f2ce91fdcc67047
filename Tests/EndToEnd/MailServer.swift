import Foundation
import TestSupport
import Testing

/// A real mail server, Exim, that delivers to mailboxes in a folder.
final class MailServer {
    static let program = testServer("sbin/exim4")
    static let isInstalled = FileManager.default.isExecutableFile(atPath: program)

    let port: Int
    let folder = TestFolder()
    private var server: Program?

    init() async throws {
        port = try #require(try await freePorts(1).first)
        let files = FileManager.default
        try files.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        // As root, it becomes another user; otherwise it cannot.
        try files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        let (user, group) = getuid() == 0 ? ("daemon", "daemon") : (NSUserName(), "\(getgid())")
        try await copyProgram()
        _ = try folder.write(Self.settings(folder.path, user: user, group: group), to: "exim.conf")
        try await start()
    }

    /// Copies the program and those of its libraries that Debian has not installed: the user that it becomes may have
    /// no access to the checkout, for example below `/root`.
    private func copyProgram() async throws {
        let found = try await run(
            "/usr/bin/ldd", [Self.program], environment: ["LD_LIBRARY_PATH": testServerLibraries()])
        let paths = found.output.split(whereSeparator: \.isWhitespace).map(String.init).filter {
            $0.hasPrefix(testServer("lib") + "/")
        }
        try FileManager.default.createDirectory(atPath: "\(folder.path)/lib", withIntermediateDirectories: true)
        for path in [Self.program] + paths {
            let source = URL(fileURLWithPath: path).resolvingSymlinksInPath()
            let name = path == Self.program ? "exim4" : "lib/" + (path as NSString).lastPathComponent
            try FileManager.default.copyItem(atPath: source.path, toPath: "\(folder.path)/\(name)")
        }
    }

    private static func settings(_ folder: String, user: String, group: String) -> String {
        """
        primary_hostname = mail.example.org
        spool_directory = \(folder)/spool
        log_file_path = \(folder)/log-%s
        pid_file_path = \(folder)/pid
        exim_path = \(folder)/exim4
        exim_user = \(user)
        exim_group = \(group)
        keep_environment = LD_LIBRARY_PATH
        tls_advertise_hosts =
        local_interfaces = 127.0.0.1
        acl_smtp_rcpt = recipient
        acl_smtp_data = data
        begin acl
        recipient:
          accept domains = example.org
          deny message = relay not permitted
        data:
          defer condition = ${if exists{\(folder)/refuses}}
                message = come back later
          accept delay = ${if exists{\(folder)/waits}{60s}{0s}}
        begin routers
        local:
          driver = accept
          local_parts = me : you
          transport = mailbox
        begin transports
        mailbox:
          driver = appendfile
          directory = \(folder)/mail/$local_part_data
          maildir_format
          user = \(user)
        """
    }

    func start() async throws {
        let before = startCount
        let server = try Program(
            "\(folder.path)/exim4", ["-C", "\(folder.path)/exim.conf", "-bdf", "-oX", "\(port)"],
            environment: ["LD_LIBRARY_PATH": "\(folder.path)/lib"])
        self.server = server
        try await holds("start of the mail server") {
            startCount > before || server.errors.text.contains(Self.startMessage)
        }
    }

    private static let startMessage = "daemon started"
    private var startCount: Int {
        text(of: "log-main").split(whereSeparator: \.isNewline).count { $0.contains(Self.startMessage) }
    }

    private func text(of log: String) -> String {
        (try? String(contentsOfFile: "\(folder.path)/\(log)", encoding: .utf8)) ?? ""
    }

    func kill() async throws {
        server?.signal(SIGKILL)
        _ = try await server?.exitCode()
    }

    /// Whether it refuses mails for the moment, or takes its time with them.
    func set(_ name: String, _ isSet: Bool) throws {
        if isSet {
            _ = try folder.write("", to: name)
        } else {
            try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)")
        }
    }

    /// Whether it is about to take a mail.
    var isReceiving: Bool {
        let names = try? FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/spool/input")
        return names?.contains { $0.hasSuffix("-D") } ?? false
    }

    /// The mails in a mailbox.
    func mails(of user: String) throws -> [String] {
        let path = "\(folder.path)/mail/\(user)/new"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return try names.map {
            try String(contentsOfFile: "\(path)/\($0)", encoding: .utf8)
        }
    }

    /// What it logged of mails that it refused. A server that was not started by root writes its log to the standard
    /// error.
    var refusals: String { text(of: "log-reject") + (server?.errors.text ?? "") }
}

/// The value of a header; empty without it.
func header(_ name: String, of mail: String) -> String {
    let line = mail.split(whereSeparator: \.isNewline).first { $0.hasPrefix(name + ": ") }
    return line.map { String($0.dropFirst(name.count + 2)) } ?? ""
}
