import Testing

@testable import Configuration

@Suite struct KeyTableTests {
    @Test func everyKeyOfEveryTableIsFound() {
        for table in SettingsReference.Table.allCases {
            let names = SettingsReference.allNames(in: table)
            let keys = SettingsReference.nameTable(of: table)
            #expect(names.allSatisfy { keys[$0] != nil }, "\(table)")
            #expect(names.allSatisfy { keys["\($0)x"] == nil || names.contains("\($0)x") }, "\(table)")
        }
    }

    /// `symbol` and `source` have the same first letter and length.
    @Test func keysWithTheSameBitAreDistinguished() {
        let table = KeyTable([("symbol", 1), ("source", 2)])
        #expect("symbol".keyBit == "source".keyBit)
        #expect(table["symbol"] == 1 && table["source"] == 2 && table["sample"] == nil)
    }

    @Test func ofEqualKeysTheFirstCounts() {
        #expect(KeyTable([("a", 1), ("a", 2)])["a"] == 1)
    }

    @Test(arguments: ["", "ä", "日本", "b", String(repeating: "a", count: 200)])
    func anyTextIsAKey(text: String) {
        let table = KeyTable([(text, 1)])
        #expect(table[text] == 1 && table[text + "a"] == nil)
    }
}
