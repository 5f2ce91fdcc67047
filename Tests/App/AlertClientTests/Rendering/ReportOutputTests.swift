import Market
import Testing

@testable import AlertClient

/// Reports as they look, to the letter.
struct ReportOutputTests {
    @Test func wholeStatus() {
        #expect(
            Run(width: 80).output("status")
                == """
                ● alertd 0.1.0 running since Sat 2026-11-21 05:05:00 CET; 2h15m ago
                  Main PID: 4711
                      Feed: wazirx https://api.wazirx.com/sapi/v1, every 30s
                     State: ok
                     Polls: 270, 3 failed, 1 bad element
                 Last data: 07:19:48, 12s ago
                 Last poll: 07:19:48, 12s ago
                 Next poll: in 18s
                     Reach: 11101111 (7 of the last 8 polls)
                   Symbols: 4
                     Rules: 3, 1 firing
                 Prices in: each market's own currency
                    Events: 12 so far, 2 of 1 024 readers connected
                   History: 270 polls since 05:05:01, kept for 1d; 4.1 MiB of 64 MiB
                     Store: 12 events, 5.1 MiB, saved 12s ago
                  Settings: /etc/alertd/alertd.toml, /etc/alertd/rules.d/a.toml
                    Loaded: 05:05:00
                SINK     DELIVERED  DROPPED  FAILED
                journal         12        0       0
                socket          10        2       0
                Firing:
                  warning: btcinr at ₹75,13,000.50, max ₹75,00,000.00 of rule 'btc band',
                    0.17% beyond
                Health:
                  rule 'gone': matches nothing; see 'alertctl rules'
                  sink socket: 2 dropped: a slow reader; 'alertctl events' shows all events

                """)
    }

    @Test func shortStatus() {
        #expect(
            Run(width: 80).output("")
                == """
                ● alertd 0.1.0 running since Sat 2026-11-21 05:05:00 CET; 2h15m ago
                      Feed: wazirx https://api.wazirx.com/sapi/v1, every 30s
                     State: ok
                 Last data: 07:19:48, 12s ago
                   Symbols: 4
                     Rules: 3, 1 firing
                Firing:
                  warning: btcinr at ₹75,13,000.50, max ₹75,00,000.00 of rule 'btc band',
                    0.17% beyond
                Health:
                  rule 'gone': matches nothing; see 'alertctl rules'
                  sink socket: 2 dropped: a slow reader; 'alertctl events' shows all events
                'alertctl status' shows more; 'alertctl help' lists all commands.

                """)
    }

    @Test func plainStatus() {
        #expect(
            Run().output("status --plain")
                == """
                version	0.1.0
                pid	4711
                started	2026-11-21T04:05:00.000Z
                feed.source	wazirx
                feed.url	https://api.wazirx.com/sapi/v1
                feed.state	ok
                feed.message	
                feed.interval_ms	30000
                feed.polls	270
                feed.failures	3
                feed.consecutive_failures	0
                feed.bad_elements	1
                feed.bad_elements_message	
                feed.last_success	2026-11-21T06:19:48.000Z
                feed.last_attempt	2026-11-21T06:19:48.000Z
                feed.next_poll	2026-11-21T06:20:18.000Z
                feed.not_before	
                feed.reach	11101111
                feed.stale	false
                feed.gaps	0
                feed.gaps_message	
                sources	wazirx	wazirx	ok	4	3	1	2026-11-21T06:19:48.000Z	2026-11-21T06:20:18.000Z	11101111	https:\
                //api.wazirx.com/sapi/v1	false		30000	270	3	0	1		2026-11-21T06:19:48.000Z\t\t0\t
                symbols	4
                rules	3
                firing	1
                silences	0
                problems	rule 'gone': matches nothing
                last_event	12
                event_readers	2
                event_readers_limit	1024
                event_readers_refused	0
                clients	1
                clients_limit	128
                clients_refused	0
                history.keep_ms	86400000
                history.capacity	2880
                history.polls	270
                history.bytes	4300000
                history.limit_bytes	67108864
                history.oldest	2026-11-21T04:05:01.000Z
                store.path	/var/lib/alertd/alertd.db
                store.state	ok
                store.message	
                store.since	
                store.unsaved	0
                store.bytes	5400000
                store.events	12
                store.last_saved	2026-11-21T06:19:48.000Z
                configuration.files	/etc/alertd/alertd.toml,/etc/alertd/rules.d/a.toml
                configuration.loaded	2026-11-21T04:05:00.000Z
                configuration.last_reload_failed	
                configuration.last_reload_message	
                sinks	journal	12	0	0	
                sinks	socket	10	2	0	a slow reader
                firing_alerts	warning: btcinr at ₹75,13,000.50, max ₹75,00,000.00 of rule 'btc band', 0.17% beyond
                health	rule 'gone': matches nothing; see 'alertctl rules'
                health	sink socket: 2 dropped: a slow reader; 'alertctl events' shows all events

                """)
    }

    @Test func oneSymbol() {
        #expect(
            Run(width: 80).output("show btcinr")
                == """
                     Symbol: btcinr
                       Last: ₹75,13,000.50
                 Change 24h: +1.53%
                        Bid: ₹75,12,000.00
                        Ask: ₹75,14,000.00
                       Open: ₹74,00,000.00
                        Low: ₹73,00,000.00
                       High: ₹76,00,000.00
                     Volume: 1.25
                   Received: 07:19:48, 12s ago
                      State: FIRING
                 Last 2h15m: ₹73,90,000.00 to ₹75,20,000.00, 8 prices
                     Change: +1.53%
                      Trend: ▂▁▃▄▆▇██
                STATE     BOUND          LIMIT          PRICE  DISTANCE %  RULE
                inactive  min    ₹48,00,000.00  ₹75,13,000.50       36.11  btc band
                FIRING    max    ₹75,00,000.00  ₹75,13,000.50       -0.17  btc band

                """)
    }

    @Test func oneSymbolInASCIIAt40Columns() {
        #expect(
            Run(width: 40).output("show btcinr --ascii")
                == """
                     Symbol: btcinr
                       Last: INR 75,13,000.50
                 Change 24h: +1.53%
                        Bid: INR 75,12,000.00
                        Ask: INR 75,14,000.00
                       Open: INR 74,00,000.00
                        Low: INR 73,00,000.00
                       High: INR 76,00,000.00
                     Volume: 1.25
                   Received: 07:19:48, 12s ago
                      State: FIRING
                 Last 2h15m: INR 73,90,000.00 to INR
                             75,20,000.00, 8 prices
                     Change: +1.53%
                      Trend: ._-:+*##
                STATE                LIMIT  RULE
                inactive  INR 48,00,000.00  btc band
                FIRING    INR 75,00,000.00  btc band

                """)
    }

    @Test func reload() {
        #expect(
            Run(width: 80).output("reload")
                == """
                Settings reloaded. Rules: 1 added, 0 removed, 1 changed, 1 kept.
                Added:
                  new
                Changed:
                  btc band
                Takes effect after 'systemctl restart alertd':
                  feed.source

                """)
    }

    @Test func reloadAsJSON() {
        #expect(
            Run().output("reload --json")
                == """
                {"added":["new"],"removed":[],"changed":["btc band"],"kept":["gone"],"needs_restart":["feed.source"],"\
                warnings":[]}

                """)
    }

    @Test func poll() {
        #expect(
            Run(width: 80).output("poll")
                == """
                Polled: 450 symbols, 0 bad elements, 1 event in 312ms.

                """)
    }

    @Test func versionsAsJSON() {
        #expect(
            Run().output("version --json")
                == """
                {"alertctl":"0.1.0","alertd":"0.1.0"}

                """)
    }

    @Test func statusAsJSON() {
        #expect(
            Run().output("status --json")
                == """
                {"simulated":false,"version":"0.1.0","pid":4711,"started":"2026-11-21T04:05:00.000Z","feed":{"source":\
                "wazirx","url":"https://api.wazirx.com/sapi/v1","state":"ok","message":null,"interval_ms":30000,"polls\
                ":270,"failures":3,"consecutive_failures":0,"bad_elements":1,"bad_elements_message":null,\
                "last_success":"2026-11-21T06:19:48.000Z","last_attempt":"2026-11-21T06:19:48.000Z",\
                "next_poll":"2026-11-21T06:20:18.000Z","not_before":null,"r\
                each":"11101111","stale":false,"gaps":0,"gaps_message":null},"sources":[{"source":"wazirx","type":"waz\
                irx","state":"ok","symbols":4,"rules":3,"firing":1,"last_success":"2026-11-21T06:19:48.000Z","next_pol\
                l":"2026-11-21T06:20:18.000Z","reach":"11101111","url":"https://api.wazirx.com/sapi/v1","stale":false,\
                "message":null,"interval_ms":30000,"polls":270,"failures":3,"consecutive_failures":0,"bad_elements":1,\
                "bad_elements_message":null,"last_attempt":"2026-11-21T06:19:48.000Z","not_before":null,\
                "gaps":0,"gaps_message":null}],"checks":[]\
                ,"symbols":4,"rules":3,"firing":1,"silences":0,"problems":["rule 'gone': matches nothing"],"last_event\
                ":12,"event_readers":2,"event_readers_limit":1024,"event_readers_refused":0,"clients":1,"clients_limit\
                ":128,"clients_refused":0,"history":{"keep_ms":86400000,"capacity":2880,"polls":270,"bytes":4300000,"l\
                imit_bytes":67108864,"oldest":"2026-11-21T04:05:01.000Z"},"store":{"path":"/var/lib/alertd/alertd.db",\
                "state":"ok","message":null,"since":null,"unsaved":0,"bytes":5400000,"events":12,"last_saved":"2026-11\
                -21T06:19:48.000Z"},"configuration":{"files":["/etc/alertd/alertd.toml","/etc/alertd/rules.d/a.toml"],\
                "loaded":"2026-11-21T04:05:00.000Z","last_reload_failed":null,"last_reload_message":null},"sinks":[{"n\
                ame":"journal","delivered":12,"dropped":0,"failed":0,"message":null},{"name":"socket","delivered":10,"\
                dropped":2,"failed":0,"message":"a slow reader"}],"firing_alerts":["warning: btcinr at ₹75,13,000.50\
                , max ₹75,00,000.00 of rule 'btc band', 0.17% beyond"],"health":["rule 'gone': matches nothing; see \
                'alertctl rules'","sink socket: 2 dropped: a slow reader; 'alertctl events' shows all events"]}

                """)
    }

    @Test func listAsJSON() {
        #expect(
            Run().output("list --json")
                == """
                {"simulated":false,"source":"wazirx","received":"2026-11-21T06:19:48.000Z","stale":false,"symbols":[{"\
                symbol":"btcinr","base":"btc","last":"7513000.5","change_percent":"1.53","bid":"7512000.0","ask":"7514\
                000.0","spread_percent":"0.03","low":"7300000.0","high":"7600000.0","open":"7400000.0","volume":"1.25"\
                ,"turnover":"9391250.625","quote":"inr","min":"4800000","max":"7500000","received":"2026-11-21T06:19:4\
                8.000Z","exchange_time":"2026-11-21T06:19:48.000Z","state":"ok","firing":1,"currency":"INR","min_curre\
                ncy":"INR","max_currency":"INR","rank":null,"market_cap":null,"source":"wazirx"},{"symbol":"shibinr","\
                base":"shib","last":"0.00000041","change_percent":"-2.38","bid":"0.0000004","ask":"0.00000042","spread\
                _percent":"4.88","low":"0.0000004","high":"0.00000043","open":"0.00000042","volume":"1234567.0","turno\
                ver":"0.50617247","quote":"inr","min":null,"max":null,"received":"2026-11-21T06:19:48.000Z","exchange_\
                time":"2026-11-21T06:19:48.000Z","state":"ok","firing":0,"currency":"INR","min_currency":null,"max_cur\
                rency":null,"rank":null,"market_cap":null,"source":"wazirx"},{"symbol":"ethusdt","base":"eth","last":"\
                3100.10","change_percent":"0.00","bid":"3100.0","ask":"3100.2","spread_percent":"0.01","low":"3050.0",\
                "high":"3150.0","open":"3100.10","volume":"10.0","turnover":"31001","quote":"usdt","min":null,"max":nu\
                ll,"received":"2026-11-21T06:19:48.000Z","exchange_time":"2026-11-21T06:19:48.000Z","state":"ok","firi\
                ng":0,"currency":"USDT","min_currency":null,"max_currency":null,"rank":null,"market_cap":null,"source"\
                :"wazirx"},{"symbol":"deadinr","base":"dead","last":null,"change_percent":null,"bid":null,"ask":null,"\
                spread_percent":null,"low":null,"high":null,"open":null,"volume":null,"turnover":null,"quote":"inr","m\
                in":null,"max":null,"received":"2026-11-21T06:19:48.000Z","exchange_time":null,"state":"frozen","firin\
                g":0,"currency":"INR","min_currency":null,"max_currency":null,"rank":null,"market_cap":null,"source":"\
                wazirx"}]}

                """)
    }
}
