internal import Glibc

/// Names this boot of the machine, so that it can be told whether stored boot times are of the clock that runs now.
///
/// - Returns: an empty text where the kernel does not say; then no two boots are the same.
func bootIdentity() -> String {
    let descriptor = unsafe open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 36)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return count == bytes.count ? String(decoding: bytes, as: UTF8.self) : ""
}
