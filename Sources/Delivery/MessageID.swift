package import Rules

/// Names one kind of journal entry for ever: what `journalctl MESSAGE_ID=` finds and what the catalog explains.
package struct MessageID: Hashable, Sendable {
    /// 32 hexadecimal digits.
    package let text: String

    private init(_ text: String) {
        self.text = text
    }

    package static let started = MessageID("2361a8b6ed64412d9f998c01165c70c1")
    package static let stopping = MessageID("d4a9ccba862b4b72b41f1cf5d1e785c3")
    package static let reloaded = MessageID("501eace2244b4fdb93e3f0a29d1c0524")
    package static let reloadFailed = MessageID("9f3495e1be8740228f9b8ca9d013219e")
    package static let feedFailed = MessageID("cab5c414476647ef9d97950645494b45")
    package static let ratesFailed = MessageID("5f1d6d1c0b8a4c53a6f2f5b94d3e7a10")
    package static let ratesTaken = MessageID("b0e6c9d2f7314d8e8a5c1e92d46f3b77")
    package static let feedWorks = MessageID("7b0f3a1fd04c4e6f8d7b8e9a2c5d6134")

    package static let storeOpened = MessageID("54265ccab6444cff98b299ea60b67581")
    package static let storeFails = MessageID("d6c73540543b41a092e7a5bf27cac314")

    /// The id of that kind of event.
    package static func of(_ kind: EventKind) -> MessageID {
        switch kind {
        case .fired: MessageID("905de4d1c9624e7ea3d47c91e82c3708")
        case .resolved: MessageID("93899191115d40e59205beffbe75b2ba")
        case .feedStale: MessageID("58700d81e6bc4fab8af66f50f1c12186")
        case .feedRecovered: MessageID("f49ddf649c194d83a11846f6fc6798a1")
        case .symbolFrozen: MessageID("47c29e49be39412183ed578bcd491eb6")
        case .symbolMissing: MessageID("206d7f069be0463d9ce7bb1e970a9592")
        case .symbolReturned: MessageID("1f109557247c4010b0c6b556a72be3fa")
        case .rulesChanged: MessageID("23fc4ca044d6460a91471810b5a41495")
        case .repeated: MessageID("22b8c5729ae14b12a45611acfae3ee94")
        case .test: MessageID("a21a4a48cafb4a3d85d9fa4553ee8d92")
        case .storeFailed: MessageID("ed1f6bd35cc04887af6c85a7ccca0b42")
        case .storeRecovered: MessageID("6d2b5ab63540439b81b8f8a6438e3ce8")
        }
    }

    /// Every id that there is.
    package static var all: [MessageID] {
        [
            started, stopping, reloaded, reloadFailed, feedFailed, feedWorks, ratesFailed, ratesTaken,
            storeOpened, storeFails,
        ] + EventKind.allCases.map(of)
    }
}
