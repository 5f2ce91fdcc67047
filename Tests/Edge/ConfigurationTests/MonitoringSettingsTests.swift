import Configuration
import HTTPServer
import Receivers
import Testing
import Time

/// `[metrics]`, `[heartbeat]` and `[lease]`.
@Suite struct MonitoringSettingsTests {
    @Test func keysAreRead() throws {
        let settings = try load(
            """
            [metrics]
            listen = ["127.0.0.1:9847", "/run/alertd/metrics.sock", "127.0.0.1:9847"]
            textfile = "/run/alertd.prom"
            symbols = "all"
            [heartbeat]
            url = "https://hc.example.org/ping/1"
            interval = "5m"
            ca_file = "/etc/ssl/own.pem"
            """
        ).settings
        #expect(settings.metrics.textfile == "/run/alertd.prom")
        #expect(settings.metrics.symbols == .all)
        #expect(settings.metrics.listen.map(\.description) == ["127.0.0.1:9847", "/run/alertd/metrics.sock"])
        #expect(settings.heartbeat.url == "https://hc.example.org/ping/1")
        #expect(settings.heartbeat.interval == .seconds(300))
        #expect(settings.heartbeat.authorityFile == "/etc/ssl/own.pem")
        #expect(settings.heartbeat.isEnabled)
        let secret = try load("[heartbeat]\nurl_credential = \"heartbeat-url\"").settings.heartbeat
        #expect(secret.urlCredential == "heartbeat-url" && secret.url == nil && secret.isEnabled)
        let none = try load("").settings.heartbeat
        #expect(!none.isEnabled)
    }

    @Test func aLeaseIsRead() throws {
        let one = try load("[lease]\nurl = \"nats://127.0.0.1:4222\"").settings.lease
        #expect(one.urls == ["nats://127.0.0.1:4222"] && one.isEnabled)
        let several = try load("[lease]\nurls = [\"tls://a.example.org\", \"tls://my_host/\"]\nttl = \"1m\"").settings
        #expect(several.lease.urls.count == 2 && several.lease.length == .seconds(60))
        #expect(try !load("").settings.lease.isEnabled)
    }

    @Test func anAddressForOtherMachinesIsAWarning() {
        let said = rendered(Array("[metrics]\nlisten = \"0.0.0.0:9847\"".utf8))
        #expect(said.contains("warning: `listen` is open to other machines"), "\(said)")
    }

    @Test(arguments: [
        ("[metrics]\ntextfile = \"alertd.prom\"", "the absolute path of a file that ends with .prom"),
        ("[metrics]\ntextfile = \"/run/alertd.txt\"", "the absolute path of a file that ends with .prom"),
        ("[metrics]\nlisten = \"9847\"", "write 127.0.0.1:9847, [::1]:9847 or the path of a socket"),
        ("[metrics]\nlisten = \"example.org:9847\"", "not an address to listen on"),
        ("[metrics]\nsymbols = \"rule\"", "did you mean \"rules\"?"),
        ("[heartbeat]\nurl = \"http://hc.example.org/1\"", "plain http to another machine"),
        ("[heartbeat]\nurl = \"hc.example.org\"", "write it like"),
        ("[heartbeat]\nurl = \"https://u:p@hc.example.org/1\"", "write it like"),
        ("[heartbeat]\nurl = \"https://hc.example.org/1\"\nurl_credential = \"a\"", "remove one of them"),
        ("[heartbeat]\nurl_credential = \"a/b\"", "not the name of a systemd credential"),
        ("[heartbeat]\nurl = \"https://hc.example.org/1\"\ninterval = \"1s\"", "use a time from \"10s\" to \"1d\""),
        ("[lease]\nbucket = \"alerts\"", "[lease] has neither `url` nor `urls`"),
        ("[lease]\nurl = \"nats://nats.example.org\"", "may be unencrypted"),
        ("[lease]\nurl = \"nats://127.example.org\"", "may be unencrypted"),
        ("[lease]\nurl = \"tls://nats.example.org/a\"", "not that of a NATS server"),
        ("[lease]\nurl = \"tls://u:p@nats.example.org\"", "not that of a NATS server"),
    ])
    func faultsAreFound(text: String, finding: String) {
        let said = rendered(Array(text.utf8))
        #expect(said.contains("error: ") && said.contains(finding), "\(said)")
        #expect(!said.contains("u:p"), "\(said)")
    }
}
