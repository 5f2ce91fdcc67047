package import EventLoop
internal import Glibc

/// Runs seeds, and shrinks the plans of those that fail.
@LoopActor
package final class Runner {
    package private(set) var tally = Tally()
    private let folder: String
    package var isVerbose: Bool

    /// - Parameters:
    ///   - folder: where the files of a simulation are; best in memory.
    ///   - isVerbose: whether each step is printed.
    package init(folder: String, isVerbose: Bool = false) {
        self.folder = folder
        self.isVerbose = isVerbose
    }

    /// Runs a plan.
    ///
    /// - Returns: the invariant that does not hold; nil when all do.
    package func run(_ plan: Plan) async -> Broken? {
        let simulation = Simulation(plan, folder: folder, isVerbose: isVerbose)
        defer { tally += simulation.tally }
        do throws(Broken) {
            try await simulation.run()
            return nil
        } catch {
            await simulation.abandon()
            return error
        }
    }

    /// The fewest steps with which the plan still fails.
    package func shrunk(_ plan: Plan, _ failure: Broken) async -> (Plan, Broken) {
        var (best, why) = (plan, failure)
        best.steps = Array(best.steps.prefix(failure.step + 1))
        guard let still = await run(best) else { return (plan, failure) }
        why = still
        var size = max(1, best.steps.count / 2)
        while size >= 1 {
            var place = 0
            while place < best.steps.count {
                var smaller = best
                smaller.steps.removeSubrange(place..<min(place + size, best.steps.count))
                if let still = await run(smaller) {
                    (best, why) = (smaller, still)
                } else {
                    place += size
                }
            }
            size = size == 1 ? 0 : size / 2
        }
        return (best, why)
    }
}
