import Foundation
import TestSupport

/// Python's TLS server on a free port of localhost, with a certificate of its own that names localhost only.
final class SecureServer: Sendable {
    let url: String
    let authorityFile: String
    private let folder: URL
    private let process: ChildProcess

    static var isAvailable: Bool {
        ["openssl", "python3"].allSatisfy { tool in
            (try? run(["sh", "-c", "command -v \(tool)"])) == 0
        }
    }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "http-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (certificate, key) = (folder.path + "/certificate.pem", folder.path + "/key.pem")
        let status = try Self.run([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out",
            certificate,
        ])
        guard status == 0 else { throw Failure.noCertificate }
        authorityFile = certificate
        let pipe = try TestPipe()
        process = try ChildProcess(
            "python3", ["-c", script, certificate, key], output: .descriptor(pipe.writeEnd), errors: .null)
        pipe.closeWriteEnd()
        // It closes its standard output when it listens.
        let line = String(decoding: pipe.readToEnd(), as: UTF8.self)
        guard let port = Int(line.filter(\.isNumber)) else { throw Failure.noPort }
        url = "https://localhost:\(port)"
    }

    func stop() {
        process.send(SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    private enum Failure: Error {
        case noCertificate
        case noPort
    }

    private static func run(_ arguments: [String]) throws -> Int32 {
        try ChildProcess("/usr/bin/env", arguments, output: .null, errors: .null).wait()
    }
}

private let script = """
    import http.server, os, ssl, sys

    connections = set()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            connections.add(self.client_address)
            port = self.server.server_address[1]
            target = {"/relative": "/ok", "/absolute": f"https://LOCALHOST:{port}/ok", "/loop": "/loop",
                      "/plain": "http://localhost/"}.get(self.path)
            body = str(len(connections)).encode() if self.path == "/connections" else b"ok"
            self.send_response(302 if target else 200)
            if target:
                self.send_header("Location", target)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    os.write(1, str(server.server_address[1]).encode())
    os.close(1)
    server.serve_forever()
    """
