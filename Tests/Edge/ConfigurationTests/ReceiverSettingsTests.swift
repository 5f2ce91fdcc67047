import Configuration
import Receivers
import Testing

/// `[[receiver]]`: what just holds and what just does not.
struct ReceiverSettingsTests {
    private func receiver(_ name: String, _ keys: String = "") -> String {
        "[[receiver]]\nname = \"\(name)\"\ntype = \"ntfy\"\nurl = \"https://ntfy.example.org/a\"\n\(keys)\n"
    }

    private func findings(_ text: String) -> String { rendered(Array(text.utf8)) }

    /// What a finding advises has to be accepted.
    @Test(arguments: ReceiverKind.allCases)
    func theExampleOfATypeIsAnAddressForIt(kind: ReceiverKind) throws {
        let profile = kind.profile
        if case .webAddress(let standard?) = profile.address { #expect(profile.example == standard) }
        let values: [ReceiverProfile.Key: String] = [
            .from: "a@example.org", .to: "b@example.org", .user: "u", .chat: "1", .room: "!a:example.org",
        ]
        var lines = ["[[receiver]]", "name = \"a\"", "type = \"\(kind.rawValue)\""]
        lines += profile.required.map { "\($0.rawValue) = \"\(values[$0] ?? "")\"" }
        if case .required = profile.credential { lines.append("credential = \"token\"") }
        let isSecret = profile.address == .secretAddress
        lines.append(isSecret ? "url_credential = \"address\"" : "url = \"\(profile.example)\"")
        let receivers = try load(lines.joined(separator: "\n") + "\n").settings.receivers
        #expect(receivers.map(\.kind) == [kind])
        #expect(receivers.first?.urls == (isSecret ? [] : [profile.example]))
    }

    @Test(arguments: ReceiverKind.allCases)
    func keysThatATypeNeedsNameIt(kind: ReceiverKind) throws {
        let profile = kind.profile
        var needed = profile.required.map(\.rawValue)
        if case .required = profile.credential { needed.append("credential") }
        if profile.address == .secretAddress { needed.append("url_credential") }
        for name in needed {
            let key = try #require(SettingsReference.keys.first { $0.table == .receiver && $0.name == name })
            #expect(key.absent?.contains("required for ") == true && key.absent?.contains(kind.rawValue) == true)
        }
    }

    @Test(arguments: [
        "a", "Phone_2.home-x", "_", "z9", "AZaz09", String(repeating: "n", count: 64),
    ])
    func namesOfLettersDigitsAndSomeSigns(name: String) throws {
        #expect(try load(receiver(name)).settings.receivers.map(\.name) == [name])
    }

    @Test(arguments: [
        "", ".a", "-a", "a:b", "a/b", "a b", "a@b", "a[b", "a`b", "a{b", "ä", String(repeating: "n", count: 65),
    ])
    func otherNamesAreRefused(name: String) {
        #expect(findings(receiver(name)).contains("1 error"), "\(findings(receiver(name)))")
    }

    @Test func thereIsALimitOfReceivers() throws {
        let all = (1...Receiver.limit).map { receiver("r\($0)") }.joined()
        #expect(try load(all).settings.receivers.count == Receiver.limit)
        let more = findings(all + receiver("more"))
        #expect(more.contains("error: more than \(Receiver.limit) receivers"), "\(more)")
    }

    @Test func twoOfTheSameNameAreRefused() {
        #expect(findings(receiver("a") + receiver("a")).contains("a receiver named \"a\" already exists"))
    }

    @Test func aRuleThatDoesNotExistIsAWarning() {
        let rule = "[[rule]]\nname = \"known\"\nsymbol = \"btcinr\"\nmin = 1\n"
        #expect(!findings(rule + receiver("a", "rules = [\"known\"]")).contains("does not exist"))
        let said = findings(rule + receiver("a", "rules = [\"known\", \"unknown\"]"))
        #expect(said.contains("the receiver \"a\" names the rule \"unknown\", which does not exist"), "\(said)")
        #expect(said.contains("1 warning"))
    }
}
