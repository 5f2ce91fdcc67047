internal import AlertClient
internal import Market
internal import Time

extension FuzzEntry {
    /// A file of prices to import: the first byte chooses the options, the rest is the file.
    package static let importedPrices = FuzzEntry(name: "import", seeds: priceFiles, longest: 1_024) { bytes in
        guard let choice = bytes.first else { return false }
        let text = Array(bytes.dropFirst())
        var options = ImportOptions(now: WallTime(milliseconds: 1_795_000_000_000))
        if choice & 1 != 0 { options.symbol = Symbol("btcinr") }
        if choice & 2 != 0 { options.presumedSymbol = Symbol("ethinr") }
        if choice & 4 != 0 { options.takesWholeKlines = true }
        if choice & 8 != 0 { options.klineLength = .seconds(3_600) }
        let first = read(text, options, inBlocks: true)
        let second = read(text, options, inBlocks: false)
        precondition(first == second, "a line depends on another one")
        return !first.isEmpty
    }

    /// The prices of all lines, and of klines those before their close.
    private static func read(_ text: [UInt8], _ options: ImportOptions, inBlocks: Bool) -> [String] {
        var reader = ImportReader(options)
        var read: [String] = []
        var (start, number) = (0, 0)
        for end in text.indices + [text.count] where end == text.count || text[end] == 0x0A {
            defer { start = end + 1 }
            number += 1
            let line = TextLine(range: start..<end, number: number, block: inBlocks ? 0 : number)
            guard let sample = try? reader.read(text.span, line) else { continue }
            precondition(sample.price.isPositive && sample.milliseconds <= options.now.milliseconds, "no price")
            for point in reader.path {
                precondition(
                    point.price.isPositive && point.milliseconds <= sample.milliseconds, "no path to the close")
            }
            read.append("\(sample.symbol) \(sample.milliseconds) \(sample.price) \(reader.path.count)")
        }
        _ = reader.faultAtEnd
        return read
    }
}

@Sendable
private func priceFiles() -> [[UInt8]] {
    let files = [
        "1735603200,100.5\n1735603260,101\n\n# a comment\n",
        "time,symbol,price\n2026-11-21 05:22:44.123+01:00,BTCINR,7\n",
        "1735603200000,100,112,99,101,5\n1735603260000,101,101.5,100,100,5\n",
        "open_time,open,high,low,close,volume,close_time\n1735603200000000,1,2,1,2,9,1735603259999999\n",
        "{\"time\":\"2026-11-21T05:22:44Z\",\"symbol\":\"btcinr\",\"price\":\"1.5\"}\n"
            + "{\"complete\":true,\"records\":1}\n",
        "# alertctl export: {\"alertctl_export\":\"prices\",\"format\":1,\"version\":\"0.1.0\",\"source\":\"wazirx\","
            + "\"simulated\":false,\"exported\":\"2026-11-21T05:22:44Z\",\"time_zone\":\"UTC\",\"symbols\":[]}\n"
            + "time;symbol;price\n1735603200123456789;btcinr;1\n# complete, records: 1\n",
    ]
    return files.flatMap { file in [0, 2, 5, 14].map { [$0] + Array(file.utf8) } }
}
