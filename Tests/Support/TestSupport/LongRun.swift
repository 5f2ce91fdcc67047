internal import Foundation

/// Scales tests that are exhaustive or random.
package enum LongRun {
    /// True in `make test-long`, which takes hours.
    package static let isOn = ProcessInfo.processInfo.environment["ALERTD_LONG"] != nil

    /// The first count in a long run, otherwise the second.
    package static func count(_ long: Int, otherwise short: Int) -> Int { isOn ? long : short }

    /// The numbers from 1 on to try: all of them in a long run, otherwise each fifth, from a random one on.
    package static func numbers() -> some Sequence<Int> {
        let step = isOn ? 1 : 5
        return sequence(first: Int.random(in: 1...step)) { $0 + step }
    }
}
