internal import TestSupport
package import Time

/// All that happens in one simulation, made from a seed. A step depends on no other step, so that any of them can be
/// left out.
package struct Plan: Sendable {
    package let seed: UInt64
    package var steps: [Step]
    /// How many markets there are.
    package let size: Int
    /// Whether polls come exactly at their interval, so that times that are equal by the rules are equal here.
    var isSteady: Bool { seed % 2 == 0 }
    /// Whether there may be several sources, and receivers. The seeds below keep what they were when they found their
    /// defects.
    var isWide: Bool { seed >= 10_000_000 }
    /// Whether sources may have candles, and prices are compared.
    var hasCandles: Bool { seed >= 20_000_000 }
    /// Whether it restarts often: about once in 65 polls, instead of once in 190.
    var isRestless: Bool { seed >= 30_000_000 }
    /// Whether receivers are of several types, and people have quiet hours.
    var hasReceiverTypes: Bool { seed >= 40_000_000 }
    /// Whether rules may have windows.
    package var hasWindows = true

    /// One thing that happens to the daemon or around it.
    package enum Step: Equatable, Sendable {
        /// Time passes.
        case pass(Milliseconds)
        /// The next responses fail, each in a way of its own.
        case failures(count: Int, seed: UInt64)
        /// The market changes its character.
        case market(UInt64)
        /// Other rules are reloaded; with an error in them, nothing changes.
        case reload(UInt64, isWrong: Bool)
        case call(UInt64)
        /// An orderly stop and, after some time, a start; perhaps with other rules.
        case restart(Milliseconds, rules: UInt64?)
        /// SIGKILL, at one of the next operations on the disk; at once when zero.
        case kill(atOperation: Int64)
        /// SIGKILL at one of the next notifications.
        case killAtDelivery(Int)
        /// Loss of power at one of the next operations on the disk, and a boot.
        case power(atOperation: Int64, UInt64)
        case reboot(Milliseconds)
        case suspend(Milliseconds)
        case stepWall(Milliseconds)
        /// The disk fails from one of the next operations on.
        case disk(Disk, atOperation: Int64, isLasting: Bool)
        case diskIsWell
        case journal(isWell: Bool)
        case reader(UInt64)
        /// An orderly stop and a start with a disk that can only be read, or is full.
        case startWithBadDisk(Disk, Milliseconds)
        /// Some of the next requests to a receiver fail.
        case receiver(UInt64)
    }

    package enum Disk: String, CaseIterable, Sendable {
        case full, half, broken, unsynced, unreadable, readOnly
    }

    /// - Parameter seed: decides everything.
    package init(seed: UInt64) {
        var random = SplitMix(seed: seed)
        self.seed = seed
        let isLarge = seed % 97 == 13
        size = isLarge ? Int.random(in: 100...500, using: &random) : Int.random(in: 1...6, using: &random)
        steps = []
        let count = isLarge ? 12 : 60
        var mood = Mood(&random)
        if isRestless { (mood.kills, mood.longestPause) = (mood.kills + 3, 400) }
        if isLarge { mood.longestPause = min(mood.longestPause, 300) }
        for _ in 0..<count { steps += Self.some(mood, &random) }
        guard isWide else { return }
        for _ in 0..<count / 8 {
            steps.insert(.receiver(random.next()), at: .random(in: 0...steps.count, using: &random))
        }
        guard hasCandles, random.next() % 3 == 0 else { return }
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let disk = [Disk.full, .readOnly].randomElement(using: &random) ?? .full
            let place = Int.random(in: 0...steps.count, using: &random)
            let new = [Step.startWithBadDisk(disk, .seconds(2)), .pass(.seconds(200)), .diskIsWell]
            steps.insert(contentsOf: new, at: place)
        }
    }

    /// What a seed prefers, so that not every seed does everything.
    private struct Mood {
        var kills: Int
        var disks: Int
        var calls: Int
        var clocks: Int
        var reloads: Int
        /// In seconds.
        var longestPause: Int64 = 900

        init(_ random: inout SplitMix) {
            let weights = [0, 1, 3, 6]
            kills = weights.randomElement(using: &random) ?? 1
            disks = [0, 0, 1, 3].randomElement(using: &random) ?? 1
            calls = weights.randomElement(using: &random) ?? 1
            clocks = [0, 0, 1, 3].randomElement(using: &random) ?? 1
            reloads = weights.randomElement(using: &random) ?? 1
        }
    }

    private static func some(_ mood: Mood, _ random: inout SplitMix) -> [Step] {
        let pass = Step.pass(.seconds(Int64.random(in: 5...mood.longestPause, using: &random)))
        var pick = Int.random(
            in: 0..<(10 + mood.kills + mood.disks + mood.calls + mood.clocks + mood.reloads), using: &random)
        let isNext = { (weight: Int, pick: inout Int) -> Bool in
            pick -= weight
            return pick < 0
        }
        if isNext(4, &pick) { return [pass] }
        if isNext(2, &pick) {
            return [.failures(count: .random(in: 1...8, using: &random), seed: random.next()), pass]
        }
        if isNext(1, &pick) { return [.market(random.next()), pass] }
        if isNext(1, &pick) { return [.reader(random.next()), pass] }
        if isNext(1, &pick) { return [.journal(isWell: Bool.random(using: &random)), pass, .journal(isWell: true)] }
        if isNext(1, &pick) { return [restart(&random), pass] }
        if isNext(mood.kills, &pick) { return [kill(&random), pass] }
        if isNext(mood.disks, &pick) {
            return [disk(&random), pass] + (Bool.random(using: &random) ? [.diskIsWell, pass] : [])
        }
        if isNext(mood.calls, &pick) { return [.call(random.next()), pass] }
        if isNext(mood.clocks, &pick) { return [clock(&random), pass] }
        return [.reload(random.next(), isWrong: Int.random(in: 0..<8, using: &random) == 0), pass]
    }

    private static func restart(_ random: inout SplitMix) -> Step {
        let pause = Milliseconds([0, 50, 700, 30_000, 200_000, 4_000_000].randomElement(using: &random) ?? 0)
        return .restart(pause, rules: Int.random(in: 0..<4, using: &random) == 0 ? random.next() : nil)
    }

    private static func kill(_ random: inout SplitMix) -> Step {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .kill(atOperation: 0)
        case 1, 2, 3: .kill(atOperation: .random(in: 1...60, using: &random))
        case 4, 5: .killAtDelivery(.random(in: 1...4, using: &random))
        default: .power(atOperation: .random(in: 0...60, using: &random), random.next())
        }
    }

    private static func disk(_ random: inout SplitMix) -> Step {
        .disk(
            Disk.allCases.randomElement(using: &random) ?? .full, atOperation: .random(in: 1...40, using: &random),
            isLasting: Bool.random(using: &random))
    }

    private static func clock(_ random: inout SplitMix) -> Step {
        let lengths: [Int64] = [1_000, 20_000, 90_000, 600_000, 7_200_000, 90_000_000]
        let length = Milliseconds(lengths.randomElement(using: &random) ?? 0)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return .suspend(length)
        case 1: return .reboot(length)
        default:
            let years = Milliseconds(
                [length.count, length.count, 31_536_000_000 * 3].randomElement(using: &random) ?? 0)
            return .stepWall(Bool.random(using: &random) ? years : Milliseconds(-years.count))
        }
    }
}
