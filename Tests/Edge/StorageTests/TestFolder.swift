import Glibc

/// A folder for one test, removed with its contents at the end.
final class TestFolder: Sendable {
    let path: String

    /// Makes it; `inMemory` where the system has a file system in memory, for tests that write much.
    init(inMemory: Bool = false) throws {
        let place = unsafe inMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array(("\(place)/alertd-storage-" + String(repeating: "X", count: 6)).utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw NoFolder(errorNumber: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        removeAll(path)
    }

    struct NoFolder: Error {
        var errorNumber: Int32
    }

    /// The state file of a store in it.
    var file: String { "\(path)/alertd.db" }
    /// The names of the files in it, sorted.
    var names: [String] { entries(of: path).sorted() }
}

/// The bytes of a file; nil when there is none.
func contents(of path: String) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = unsafe read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return bytes }
        bytes += buffer[..<count]
    }
}

/// Replaces the contents of the file.
func write(_ bytes: [UInt8], to path: String) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
    }
}

private func entries(of folder: String) -> [String] {
    guard let handle = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(handle) }
    var names: [String] = []
    while let entry = unsafe readdir(handle) {
        let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
            unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names
}

private func removeAll(_ folder: String) {
    unsafe chmod(folder, 0o700)
    for name in entries(of: folder) {
        let path = "\(folder)/\(name)"
        if unsafe unlink(path) != 0 { removeAll(path) }
    }
    unsafe rmdir(folder)
}
