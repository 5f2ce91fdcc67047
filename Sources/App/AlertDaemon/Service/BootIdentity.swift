internal import Glibc

/// Returns the identity of this boot, which shows whether stored boot times belong to the clock of the current boot.
///
/// - Parameters:
///   - environment: reads an environment variable. The unit sets `ALERTD_BOOT_ID`, because a service without access
///     to the kernel's files cannot read the identity itself.
///   - file: the kernel's file with the identity.
/// - Returns: 32 hexadecimal digits; an empty text if the identity is not known, which equals no other boot.
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

/// Returns only the digits: the kernel writes hyphens between them, systemd does not.
private func identity(_ text: String) -> String? {
    let digits = text.filter { $0 != "-" }
    return digits.count == 32 && digits.allSatisfy(\.isHexDigit) ? digits : nil
}
