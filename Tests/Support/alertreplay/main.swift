internal import AlertDaemon
internal import Delivery
internal import EventLoop
internal import Glibc
internal import Replay
internal import Storage

// alertreplay FOLDER FILE SEED END: replays simulated polls up to the given number, `+N` for N more than are stored, or
// endlessly when it is 0, with the state in the folder and notified events appended to the file. It prints where it
// begins and ends.

func say(_ text: String) {
    let line = Array("\(text)\n".utf8)
    _ = unsafe write(STDOUT_FILENO, line, line.count)
}

func replay(_ arguments: [String]) throws -> Int32 {
    guard arguments.count == 4, let seed = UInt64(arguments[2]), let end = Int(arguments[3]) else { return 2 }
    let file = unsafe open(arguments[1], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { return 1 }
    let replay = try LoopActor.assumeIsolated {
        try Replay(
            ReplaySeries(seed: seed), store: Store(folder: arguments[0]), sinks: [StdoutSink(descriptor: file)])
    }
    LoopActor.assumeIsolated {
        say("from \(replay.next)")
        let last = arguments[3].first == "+" ? replay.next + end : end
        while last == 0 || replay.next < last { replay.step() }
        replay.pipeline.stop()
        say("to \(replay.next)")
    }
    return 0
}

let arguments = Array(CommandLine.arguments.dropFirst())
exit(
    Loop.shared.run {
        do {
            return try replay(arguments)
        } catch {
            say("\(error)")
            return 1
        }
    })
