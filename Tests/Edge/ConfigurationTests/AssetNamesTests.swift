import Configuration
import Testing

/// The files that name assets.
struct AssetNamesTests {
    private func names(_ texts: String...) -> AssetNames {
        let paths = texts.indices.map { "/names/\($0).toml" }
        return AssetNames(paths, files: MemoryFiles(Dictionary(uniqueKeysWithValues: zip(paths, texts))))
    }

    @Test func laterFilesReplaceNamesOfEarlierOnes() {
        let names = names("[names]\nBTC = \"Bitcoin\"\neth = \"Ethereum\"\n", "[names]\nbtc = \"Gold\"\n")
        #expect(names.name(of: "btc") == "Gold" && names.name(of: "Eth") == "Ethereum")
        #expect(names.name(of: "xrp") == nil && names.faults.isEmpty)
        #expect(names.asset(named: "gold") == "btc" && names.asset(named: "Bitcoin") == nil)
    }

    @Test func aNameIsCutAtSixtyFourCharacters() {
        let names = names("[names]\nbtc = \"\(String(repeating: "b", count: 65))\"\n")
        #expect(names.name(of: "btc")?.count == 64)
    }

    @Test func whatIsWrongIsNamedAndTheRestIsRead() {
        let names = names("[others]\nbtc = \"Gold\"\n[names]\neth = 5\nxrp = \"\"\nada = \"Cardano\"\n", "[names")
        #expect(
            names.faults.prefix(3) == [
                "/names/0.toml:1: 'others' is not known; use [names]",
                "/names/0.toml:4: the name of 'eth' is not a string",
                "/names/0.toml:5: the name of 'xrp' is not a string",
            ], "\(names.faults)")
        #expect(names.faults.count == 4 && names.faults.last?.hasPrefix("/names/1.toml:1:") == true)
        #expect(names.name(of: "btc") == nil && names.name(of: "ada") == "Cardano")
    }

    @Test func aMissingFileIsNoFaultAndOneThatCannotBeReadIs() {
        let files = MemoryFiles(failures: ["/names/1.toml": "permission denied"])
        let names = AssetNames(["/names/0.toml", "/names/1.toml"], files: files)
        #expect(names.isEmpty && names.faults == ["/names/1.toml: permission denied"])
    }

    /// The program's own file gives way to a price service, what the user wrote does not.
    @Test func namesOfTheUserComeBeforeThoseOfAPriceService() {
        let (shipped, own) = ("/usr/share/alertd/assets.toml", "/etc/alertd/assets.toml")
        let files = MemoryFiles([
            shipped: "[names]\nbtc = \"Bitcoin\"\neth = \"Ethereum\"\n", own: "[names]\neth = \"Ether\"\n",
        ])
        let names = AssetNames([shipped, own], files: files).adding(["BTC": "BTC coin", "ETH": "ETH coin", "x": "X"])
        #expect(["btc", "eth", "x"].map { names.name(of: $0) } == ["BTC coin", "Ether", "X"])
    }
}
