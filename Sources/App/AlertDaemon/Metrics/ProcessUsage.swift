internal import Glibc

/// The resources that the process uses, as counted by the kernel.
struct ProcessUsage {
    /// User and system time, in nanoseconds.
    var cpuNanoseconds: Int64
    /// Resident memory in bytes; nil if the kernel does not show it.
    var residentBytes: Int?

    /// Reads the counts of the kernel.
    static func current() -> ProcessUsage {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        let nanoseconds = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
        return ProcessUsage(cpuNanoseconds: nanoseconds, residentBytes: residentPages().map { $0 * Int(getpagesize()) })
    }

    /// Returns the second number of `/proc/self/statm` (proc_pid_statm(5)).
    private static func residentPages() -> Int? {
        let file = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 128)
        let count = unsafe read(file, &buffer, buffer.count)
        guard count > 0 else { return nil }
        let fields = buffer.prefix(count).split(separator: UInt8(ascii: " "))
        return fields.count > 1 ? Int(String(decoding: fields[1], as: UTF8.self)) : nil
    }
}
