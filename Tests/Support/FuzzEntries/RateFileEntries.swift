internal import ExchangeRates
internal import Market
internal import ReferenceRateFiles

extension FuzzEntry {
    /// A file of reference rates in XML.
    package static let rateXML = FuzzEntry(name: "rate-xml", seeds: xmlFiles) { bytes in
        isSound(try? RateHistory(xml: bytes))
    }

    /// A file of reference rates in CSV.
    package static let rateCSV = FuzzEntry(name: "rate-csv", seeds: csvFiles) { bytes in
        isSound(try? RateHistory(csv: bytes))
    }
}

@Sendable
private func xmlFiles() -> [[UInt8]] {
    [
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <g:Envelope xmlns:g="http://www.gesmes.org/xml/2002-08-01"
            xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
        <g:subject>Reference rates</g:subject><g:Sender><g:name>European Central Bank</g:name></g:Sender>
        <Cube><Cube time='2026-04-13'><Cube currency='USD' rate='1.1684'/><Cube currency='SEK' rate='10.8920'/></Cube>
        <Cube time="2026-04-10"><Cube currency="USD" rate="1.17" note="n"/></Cube></Cube></g:Envelope>
        """
    ].map { Array($0.utf8) }
}

@Sendable
private func csvFiles() -> [[UInt8]] {
    [
        "Date,USD,CYP,SEK,\n2026-04-13,1.1684,N/A,10.8920,\n2009-01-02,1.3866,0.5842,N/A,\n",
        "Date, USD, JPY, \r\n13 April 2026, 1.1684, 186.75, \r\n",
    ].map { Array($0.utf8) }
}

/// Whether there is a history; if so, it must satisfy the guarantees of its type.
private func isSound(_ history: RateHistory?) -> Bool {
    guard let history else { return false }
    for table in history.tables {
        let rates = table.currencies.map { table[$0] }
        precondition(rates.contains { $0 != nil }, "a date without rates")
        precondition(rates.allSatisfy { $0?.isPositive ?? true }, "a rate that is not above 0")
        precondition(Set(table.currencies).count == table.currencies.count, "a currency twice")
    }
    return true
}
