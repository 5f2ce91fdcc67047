import Testing

@testable import AlertClient

/// Tables as they look, to the letter.
struct TableOutputTests {
    @Test func listAt120Columns() {
        #expect(
            Run(width: 120).output("list")
                == """
                SYMBOL            LAST  CHANGE %            LOW           HIGH            MIN            MAX  STATE
                btcinr   ₹75,13,000.50     +1.53  ₹73,00,000.00  ₹76,00,000.00  ₹48,00,000.00  ₹75,00,000.00 \
                 FIRING
                shibinr    ₹0.00000041     -2.38     ₹0.0000004    ₹0.00000043              -              -  ok
                ethusdt  3,100.10\u{A0}USDT      0.00  3,050.00\u{A0}USDT  3,150.00\u{A0}USDT              -         \
                     -  ok
                deadinr              -         -              -              -              -              -  frozen

                """)
    }

    @Test func listAt80Columns() {
        #expect(
            Run(width: 80).output("list")
                == """
                SYMBOL            LAST  CHANGE %            MIN            MAX  STATE
                btcinr   ₹75,13,000.50     +1.53  ₹48,00,000.00  ₹75,00,000.00  FIRING
                shibinr    ₹0.00000041     -2.38              -              -  ok
                ethusdt  3,100.10\u{A0}USDT      0.00              -              -  ok
                deadinr              -         -              -              -  frozen

                """)
    }

    @Test func listAt40Columns() {
        #expect(
            Run(width: 40).output("list")
                == """
                SYMBOL            LAST  CHANGE %  STATE
                btcinr   ₹75,13,000.50     +1.53  FIRING
                shibinr    ₹0.00000041     -2.38  ok
                ethusdt  3,100.10\u{A0}USDT      0.00  ok
                deadinr              -         -  frozen

                """)
    }

    @Test func listWithoutATerminal() {
        #expect(
            Run().output("list")
                == """
                SYMBOL            LAST  CHANGE %            BID            ASK  SPREAD %            LOW           HIGH\
                     VOLUME        TURNOVER  QUOTE            MIN            MAX  AGE  STATE
                btcinr   ₹75,13,000.50     +1.53  ₹75,12,000.00  ₹75,14,000.00      0.03  ₹73,00,000.00  ₹76\
                ,00,000.00       1.25   ₹93,91,250.62  inr    ₹48,00,000.00  ₹75,00,000.00  12s  FIRING
                shibinr    ₹0.00000041     -2.38     ₹0.0000004    ₹0.00000042      4.88     ₹0.0000004    ₹\
                0.00000043  1234567.0        ₹0.50617  inr                -              -  12s  ok
                ethusdt  3,100.10\u{A0}USDT      0.00  3,100.00\u{A0}USDT  3,100.20\u{A0}USDT      0.01  3,050.00\
                \u{A0}USDT  3,150.00\u{A0}USDT       10.0  31,001.00\u{A0}USDT  usdt               -              -  1\
                2s  ok
                deadinr              -         -              -              -         -              -              -\
                          -               -  inr                -              -  12s  frozen

                """)
    }

    @Test func plainList() {
        #expect(
            Run().output("list --plain --header")
                == """
                symbol	base	last	change_percent	bid	ask	spread_percent	low	high	open	volume	turnover	quote	min	max	rece\
                ived	exchange_time	state	firing	currency	min_currency	max_currency	rank	market_c\
                ap	source
                btcinr	btc	7513000.5	1.53	7512000.0	7514000.0	0.03	7300000.0	7600000.0	7400000.0	1.25	9391250.625	inr	4\
                800000	7500000	2026-11-21T06:19:48.000Z	2026-11-21T06:19:48.000Z	ok	1	INR	INR	INR			wazirx
                shibinr	shib	0.00000041	-2.38	0.0000004	0.00000042	4.88	0.0000004	0.00000043	0.00000042	1234567.0	0.506\
                17247	inr			2026-11-21T06:19:48.000Z	2026-11-21T06:19:48.000Z	ok	0	INR\t\t\t\t\twazirx
                ethusdt	eth	3100.10	0.00	3100.0	3100.2	0.01	3050.0	3150.0	3100.10	10.0	31001	usdt			2026-11-21T06:19:48\
                .000Z	2026-11-21T06:19:48.000Z	ok	0	USDT\t\t\t\t\twazirx
                deadinr	dead											inr			2026-11-21T06:19:48.000Z		frozen	0	INR\t\t\t\t\twazirx

                """)
    }

    @Test func alertsAt120Columns() {
        #expect(
            Run(width: 120).output("alerts --all")
                == """
                STATE     SYMBOL  BOUND          LIMIT          PRICE  DISTANCE %  RULE      SINCE                SEV\
                ERITY  CURRENCY
                FIRING    btcinr  max    ₹75,00,000.00  ₹75,13,000.50       -0.17  btc band  2026-11-20 21:00:01  w\
                arning\
                   INR
                inactive  btcinr  min    ₹48,00,000.00  ₹75,13,000.50       36.11  btc band  05:05:01             w\
                arning\
                   INR

                """)
    }

    @Test func alertsAt40Columns() {
        #expect(
            Run(width: 40).output("alerts --all")
                == """
                STATE     SYMBOL          LIMIT  RULE
                FIRING    btcinr  ₹75,00,000.00  btc ba…
                inactive  btcinr  ₹48,00,000.00  btc ba…

                """)
    }

    @Test func rulesAt80Columns() {
        #expect(
            Run(width: 80).output("rules")
                == """
                RULE      SYMBOLS       CONDITION                        FIRING  STATE
                btc band  btcinr, btc*  min ₹48,00,000.00 max                 1  ok
                                        ₹75,00,000.00
                gone      lunainr       max 1                                 0  matches nothing

                """)
    }

    @Test func rulesAt40Columns() {
        #expect(
            Run(width: 40).output("rules")
                == """
                RULE      STATE
                btc band  ok
                gone      matches nothing

                """)
    }
}
