import EventLoop
import Glibc

ignoreBrokenPipes()
exit(
    Loop.shared.run {
        do {
            var rows = try pollBenchmarks()
            rows += try await fanoutBenchmarks()
            rows += try await systemBenchmarks()
            printReport(rows)
            return 0
        } catch {
            print("alertbench: \(error)")
            return 1
        }
    })
