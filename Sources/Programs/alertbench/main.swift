import EventLoop
import Glibc

ignoreWriteSignals()
exit(
    Loop.shared.run {
        let names = CommandLine.arguments.dropFirst()
        let isWanted = { (name: String) in names.isEmpty || names.contains(name) }
        do {
            var rows: [Row] = []
            if isWanted("process") { rows += try await processBenchmarks() }
            if isWanted("poll") { rows += try pollBenchmarks() }
            if isWanted("history") { rows += try historyBenchmarks() }
            if isWanted("charts") { rows += try chartBenchmarks() }
            if isWanted("rules") { rows += try ruleBenchmarks() }
            if isWanted("fanout") { rows += try await fanoutBenchmarks() }
            if isWanted("receivers") { rows += try await receiverBenchmarks() }
            if isWanted("store") { rows += try storeBenchmarks() }
            if isWanted("start") { rows += try startBenchmarks() }
            if isWanted("system") { rows += try await systemBenchmarks() }
            printReport(rows)
            return 0
        } catch {
            print("alertbench: \(error)")
            return 1
        }
    })
