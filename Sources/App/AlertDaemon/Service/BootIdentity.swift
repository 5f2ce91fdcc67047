internal import Glibc

/// Names this boot of the machine, so that it can be notified whether stored boot times are of the clock that runs now.
///
/// - Parameters:
///   - environment: gives the value of an environment variable: the unit names the boot in `ALERTD_BOOT_ID`, as a
///     service without access to the kernel's files cannot ask for it.
///   - file: where the kernel names it.
/// - Returns: 32 hexadecimal digits; an empty text where nobody says, and then no two boots are the same.
func bootIdentity(
    environment: (String) -> String? = { name in unsafe getenv(name).map { unsafe String(cString: $0) } },
    file: String = "/proc/sys/kernel/random/boot_id"
) -> String {
    if let text = environment("ALERTD_BOOT_ID").flatMap(identity) { return text }
    let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 36)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return identity(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)) ?? ""
}

/// The digits alone: the kernel writes hyphens between them, and systemd does not.
private func identity(_ text: String) -> String? {
    let digits = text.filter { $0 != "-" }
    return digits.count == 32 && digits.allSatisfy(\.isHexDigit) ? digits : nil
}
