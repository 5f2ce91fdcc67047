internal import Foundation

/// How much of what is exhaustive or random a run of the tests tries.
package enum LongRun {
    /// True in `make test-long`, which takes an hour.
    package static let isOn = ProcessInfo.processInfo.environment["ALERTD_LONG"] != nil

    /// The one number in a long run, the other in each other run.
    package static func count(_ long: Int, otherwise short: Int) -> Int { isOn ? long : short }

    /// The numbers from 1 on to try: all of them in a long run, otherwise each fifth, from a random one on.
    package static func numbers() -> some Sequence<Int> {
        let step = isOn ? 1 : 5
        return sequence(first: Int.random(in: 1...step)) { $0 + step }
    }
}
