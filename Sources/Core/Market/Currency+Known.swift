extension Currency {
    /// True for current and former national currencies (ISO 4217), for the quote assets of exchanges, and for the
    /// coins with the highest turnover. Symbols and reference rates may have other currencies.
    package var isKnown: Bool { Self.known.contains(self) }

    /// True for current and former national currencies (ISO 4217).
    package var isNational: Bool { Self.nationals.contains(self) }

    /// All known currencies, sorted by name.
    package static var allKnown: [Currency] { known.sorted() }

    private static let nationals = currencies(nationalCodes).union(currencies(formerCodes))
    private static let known = nationals.union(currencies(coins))

    private static func currencies(_ names: String) -> Set<Currency> {
        Set(names.split { $0 == " " || $0 == "\n" }.compactMap { Currency(String($0)) })
    }

    /// The current codes of ISO 4217, except those of funds, metals and tests.
    private static let nationalCodes = """
        AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP
        CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF
        IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD
        MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB
        RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD
        UYU UZS VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
        """

    /// The codes of currencies that the euro has replaced, at a permanently fixed rate.
    package static let formerCodes = """
        ATS BEF BGN CYP DEM EEK ESP FIM FRF GRD HRK IEP ITL LTL LUF LVL MTL NLG PTE SIT SKK
        """

    /// The quote assets of exchanges, and the coins with the highest turnover.
    private static let coins = """
        ADA AVAX BCH BNB BTC BUSD DAI DOGE DOT ETH EURC EURI FDUSD LINK LTC PYUSD SHIB SOL TRX TUSD USDC USDT WRX XBT
        XLM XMR XRP
        """
}
