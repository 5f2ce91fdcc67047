internal import Market

/// The initial state of a simulated market.
struct Listing {
    var base: String
    var quote: String
    /// The initial price of the base in the quote asset; not money, only the start of the simulation.
    var level: Double
    /// The initial price in dollars.
    var dollars: Double

    /// All markets in the order in which responses list them: 139 in INR, 265 in USDT, 27 in BTC, 19 in WRX.
    static let all: [Listing] = markets.split(separator: ",").flatMap { entry in
        let words = entry.split(whereSeparator: \.isWhitespace)
        guard words.count == 3, let dollars = Double(words[1]) else { return [Listing]() }
        return words[2].compactMap { Listing(base: String(words[0]), quoteLetter: $0, dollars: dollars) }
    }

    private init?(base: String, quoteLetter: Character, dollars: Double) {
        guard let quote = Self.quotes[quoteLetter] else { return nil }
        self.base = base
        self.quote = quote.name
        self.dollars = dollars
        level = base + quote.name == SimulatedFeed.swingingSymbol ? Self.swingingLevel : dollars * quote.perDollar
    }

    /// The initial price of the swinging symbol. It is higher than the dollar rate suggests, like prices in rupees on
    /// the real exchange.
    private static let swingingLevel = Double(SimulatedFeed.swingingLevel)

    private static let quotes: [Character: (name: String, perDollar: Double)] = [
        "i": ("inr", 90), "u": ("usdt", 1), "b": ("btc", 1 / 68_000), "w": ("wrx", 1 / 0.15),
    ]
}

/// Each base asset, its price in dollars, and its quote assets: `i`nr, `u`sdt, `b`tc, `w`rx.
private let markets = """
    btc 68000 iu, xrp 0.62 iubw, eth 3500 iubw, trx 0.12 iubw, eos 0.87 iubw, zil 0.02 iub, bat 0.22 iubw,
    zrx 0.18 iub, req 0.083 iub, icx 0.16 iub, omg 1.1 iub, iost 0.0084 iub, dent 0.00063 iu, hot 0.0015 iu,
    usdt 1 i, wrx 0.15 iub, matic 0.7 iubw, bch 450 iu, bnb 580 iubw, one 0.013 iu, yfi 6200 iuw, uni 8 iu,
    link 15 iuw, sxp 0.23 iu, ada 0.45 iubw, atom 9 iub, xlm 0.11 iu, xem 0.037 iu, zec 41 iu, busd 1 iu,
    yfii 1900 iuw, doge 0.16 iuw, dot 7.1 iu, vet 0.019 iu, crv 0.52 iu, ren 0.077 iu, enj 0.3 iuw, mana 0.39 iu,
    hbar 0.047 iu, uma 1.6 iu, chr 0.11 iuw, paxg 1700 iu, 1inch 0.42 iuw, etc 18 iu, uft 0.28 iu, dock 0.015 iuw,
    fil 4.4 iu, win 0.000085 iu, tko 0.2 iu, push 0.29 iu, avax 36 iu, xvg 0.0021 iu, sc 0.0025 iu, ftt 1.3 iu,
    dgb 0.0068 iu, cvc 0.097 iu, cake 3.7 iu, ftm 0.18 iu, hnt 2.2 iu, ark 0.28 iu, ctsi 0.11 iu, kmd 0.19 iu,
    sol 150 iu, coti 0.072 iu, iotx 0.023 iu, shib 0.000017 iuw, rlc 1.2 iu, trb 11 iu, reef 0.0029 iu, icp 3.8 iu,
    ont 0.18 iu, ckb 0.0025 iu, pnt 0.19 iu, xvs 3.9 iu, vite 0.025 iu, dcr 20 iu, mdx 0.075 iu, pha 0.15 iu,
    rune 1.1 iuw, ogn 0.095 iu, mir 0.13 iu, data 0.025 iu, ksm 24 iu, nkn 0.074 iu, bal 5.2 iu, snx 1.6 iu,
    axs 6.4 iu, celr 0.011 iub, alpha 0.084 iu, comp 40 iu, alice 1.1 iu, egld 40 iu, sand 0.55 iu, front 0.18 iu,
    lrc 0.22 iu, stx 0.22 iu, algo 0.26 iu, alpaca 0.23 iu, xec 0.000029 iu, dydx 2.2 iu, stpt 0.029 iu,
    rose 0.041 iu, slp 0.0025 iu, cocos 0.5 iu, ar 9.3 iu, sushi 1.2 iu, mkr 640 iu, gto 0.011 iu, gala 0.026 iu,
    tlm 0.016 iu, ens 12 iu, ctxc 0.086 iu, mbox 0.5 iu, quick 55 iu, ooki 0.0037 iu, amp 0.0035 iu, near 1.5 iu,
    ardr 0.067 iu, grt 0.06 iu, bttc 0.00000064 iu, cream 13 iu, bico 0.29 iu, spell 0.00059 iu, qnt 100 iu,
    dusk 0.088 iu, jasmy 0.0037 iu, tfuel 0.044 iu, knc 0.55 iu, dodo 0.11 iu, ach 0.0094 iu, idex 0.048 iu,
    celo 0.44 iu, bake 0.19 iu, neo 6.5 iu, ape 2.9 iu, oxt 0.083 iu, usdc 1 i, ltc 84 iubw, dash 34 iub,
    qkc 0.008 ub, nuls 0.18 ub, snt 0.022 ub, theta 0.86 ub, fet 0.057 ub, rvn 0.02 ub, xmr 130 ub, stmx 0.0048 ub,
    bchsv 39 u, fun 0.0062 u, xtz 0.98 u, qtum 2 u, iota 0.22 u, waves 2.1 u, lsk 0.75 u, steem 0.16 u, loom 0.044 u,
    rep 5.5 u, blz 0.057 u, bts 0.0079 u, chz 0.2 u, kava 0.8 u, ankr 0.02 u, hive 0.32 u, band 1.7 u, jst 0.02 u,
    tomo 0.29 u, mdt 0.021 u, storj 0.31 u, ava 0.61 u, srm 0.33 u, cos 0.0046 u, aion 0.03 u, adx 0.12 u, aave 55 u,
    wtc 0.2 u, strax 0.44 u, inj 1.7 u, mtl 0.68 u, glm 0.21 u, firo 1.7 u, dexe 2.4 u, bnt 0.31 u, rsr 0.0039 u,
    pundix 0.37 u, vib 0.074 u, klay 0.17 u, perp 0.39 u, flow 1.2 u, vgx 0.34 u, ray 0.38 u, mina 0.53 u,
    clv 0.06 u, gno 96 u, audio 0.15 u, skl 0.026 u, dego 1.5 u, mask 2.5 u, mft 0.0042 u, ilv 43 u, mln 19 u,
    cfx 0.028 u, rad 1.5 u, burger 0.51 u, scrt 0.65 u, sys 0.11 u, agld 0.23 u, key 0.0034 u, rare 0.12 u,
    sun 0.005 u, auction 4.6 u, ata 0.1 u, ocean 0.12 u, super 0.092 u, beta 0.074 u, waxp 0.059 u, qi 0.0064 u,
    chess 0.18 u, beam 0.12 u, voxel 0.23 u, powr 0.14 u, ant 1.8 u, farm 29 u, lazio 5.7 u, porto 4.3 u,
    santos 7.5 u, glmr 0.52 u, xno 0.57 u, nmr 11 u, fida 0.38 u, dar 0.14 u, t 0.016 u, pyr 2.8 u, imx 0.4 u,
    api3 1.5 u, alpine 3 u, astr 0.035 u, anc 0.049 u, flux 0.47 u, kda 0.87 u, woo 0.12 u, aca 0.11 u, joe 0.16 u,
    mc 0.43 u, alcx 18 u, multi 3.2 u, high 1.1 u, rndr 0.46 u, pla 0.21 u, for 0.016 u, gmt 0.4 u, bnx 160 u,
    lina 0.006 u, loka 0.33 u, bsw 0.2 u, bond 3.7 u, rei 0.021 u, lpt 7.1 u, ygg 0.23 u, city 4.8 u, acm 2.5 u,
    psg 6.7 u, ghst 1 u, gal 1.4 u, op 0.89 u, lever 0.0011 u, ldo 1.2 u, polyx 0.13 u
    """
