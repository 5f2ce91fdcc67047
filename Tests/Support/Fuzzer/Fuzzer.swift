import FuzzEntries
import Glibc

/// libFuzzer as a library: it reads the arguments and calls back with each input.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt

/// The selected entry: `ALERTD_FUZZ_ENTRY`.
private let entry = variable("ALERTD_FUZZ_ENTRY").flatMap { FuzzEntry.named($0) }

@main
struct Fuzzer {
    static func main() {
        guard let entry else {
            print("ALERTD_FUZZ_ENTRY is none of: \(FuzzEntry.all.map(\.name).joined(separator: ", "))")
            exit(2)
        }
        if let folder = variable("ALERTD_FUZZ_SEEDS") {
            write(entry.seeds(), to: folder)
            print(entry.longest)
            return
        }
        var count = CommandLine.argc
        var arguments = unsafe CommandLine.unsafeArgv
        let status = unsafe runDriver(&count, &arguments) { start, count in
            let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
            return Fuzzer.run(bytes)
        }
        exit(status)
    }

    private static func run(_ bytes: [UInt8]) -> CInt {
        _ = entry?.run(bytes)
        return 0
    }

    private static func write(_ seeds: [[UInt8]], to folder: String) {
        for (number, seed) in seeds.enumerated() {
            guard let file = unsafe fopen("\(folder)/seed-\(number)", "w") else { continue }
            unsafe fwrite(seed, 1, seed.count, file)
            unsafe fclose(file)
        }
    }
}

private func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
}
