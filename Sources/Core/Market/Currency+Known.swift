extension Currency {
    /// Whether it is or was a national currency (ISO 4217), or a coin in which people think of prices. Markets and
    /// reference rates may know others.
    package var isKnown: Bool { Self.known.contains(self) }

    /// Whether it is or was a national currency (ISO 4217), for which it is known how amounts are written.
    package var isNational: Bool { Self.nationals.contains(self) }

    /// In the order of their names.
    package static var allKnown: [Currency] { known.sorted() }

    private static let nationals = currencies(nationalCodes).union(currencies(formerCodes))
    private static let known = nationals.union(currencies(coins))

    private static func currencies(_ names: String) -> Set<Currency> {
        Set(names.split { $0 == " " || $0 == "\n" }.compactMap { Currency(String($0)) })
    }

    /// The codes of ISO 4217 that are in use, without those of funds, metals and tests.
    private static let nationalCodes = """
        AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP
        CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF
        IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD
        MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB
        RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD
        UYU UZS VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
        """

    /// Those that the euro has replaced, at a rate that is fixed forever.
    package static let formerCodes = """
        ATS BEF BGN CYP DEM EEK ESP FIM FRF GRD HRK IEP ITL LTL LUF LVL MTL NLG PTE SIT SKK
        """

    /// Quote assets of exchanges, and the coins with the most turnover.
    private static let coins = """
        ADA AVAX BCH BNB BTC BUSD DAI DOGE DOT ETH EURC EURI FDUSD LINK LTC PYUSD SHIB SOL TRX TUSD USDC USDT WRX XBT
        XLM XMR XRP
        """
}
