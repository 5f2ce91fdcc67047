import HTTP
import Testing

@Suite struct SecretFragmentsTests {
    private static let fragments = SecretFragments(
        secrets: ["user:SEKRETpw"], addresses: ["https://me@example.org/services/T000/SEKRETpath?key=SEKRETkey"])

    /// A server may write what it was sent in any form.
    @Test(arguments: [
        "SEKRETpw", "user:SEKRETpw", "sekretpath not found", "/Services/t000/sekretPATH", "USER:sekretPW",
        #"plain S\u0045KRETpw"#, #"S\u0045KRETpw"#, #"S\x45KRETpw"#, #"T000\/SEKRETpath"#, #"T000\u002fSEKRETpath"#,
        "%53EKRETpath", "%2553EKRETpath", "%252553EKRETpath", #"\\u0053EKRETpath"#, "&#83;EKRETpw", "&#x53;EKRETpw",
        "&#X53;ekretpw", "user&#58;SEKRETpw", "&amp;#83;EKRETpw", "%26%2383%3BEKRETpw",
        "SEK\u{200B}RETpw", "SEK\u{7}RETpw", "SEK\u{AD}RET\npw",
        "53454b524554706174682e", "53454B52455470617468", "Basic dXNlcjpTRUtSRVRwdw==", "eDpTRUtSRVRwdw",
        "the path is /services/T000/SEKR…", "SEKRETp…: no symbol",
    ])
    func eachFormIsRecognized(text: String) {
        #expect(Self.fragments.occur(in: text))
        #expect(Self.fragments.redacted(text) == "(not shown: it repeats a secret)")
    }

    @Test(arguments: [
        "", "no such user", "bad request to example.org", "T000 is no name", "SEKR", "SEKR…",
        "…SEKR", "100% of %zz",
        #"a \ b \u00"#, "&#; &#xZZ; &unknown; &", "%", "%5", "\\",
    ])
    func otherTextsAreShown(text: String) {
        #expect(!Self.fragments.occur(in: text))
        #expect(Self.fragments.redacted(text) == text)
    }

    /// A secret may contain escapes itself, and a server may decode them.
    @Test(arguments: ["token%2Fpart", "token/part", "TOKEN%2fPART", "token%252Fpart"])
    func aSecretMayContainEscapes(text: String) {
        #expect(SecretFragments(secrets: ["token%2Fpart"]).occur(in: text))
        #expect(SecretFragments(secrets: [], queries: ["https://example.org/?key=token%2Fpart"]).occur(in: text))
    }

    /// The path of a source is no secret, and neither are the names in its query.
    @Test func ofASourceOnlyTheQueryIsSecret() {
        let fragments = SecretFragments(
            secrets: [], queries: ["https://me:SEKRETpw@example.org/markets/list?apikey=SEKRETkey&limit=1000#top"])
        for text in ["bad key SEKRETkey", "?APIKEY=sekretkey&", "SEKRETpw", "apikey=SEKRETkey&limit=1000"] {
            #expect(fragments.occur(in: text), "\(text)")
        }
        for text in ["no such path /markets/list", "the apikey is not valid", "limit=1000 is too high"] {
            #expect(!fragments.occur(in: text), "\(text)")
        }
        #expect(!SecretFragments(secrets: [], queries: ["https://example.org/markets"]).occur(in: "/markets"))
    }

    @Test func nothingIsSecretWithoutSecrets() {
        #expect(!SecretFragments(secrets: [], addresses: ["https://example.org"]).occur(in: "https://example.org"))
        #expect(!SecretFragments(secrets: [""]).occur(in: ""))
    }
}
