internal import Configuration
internal import Glibc

/// A copy of a settings file that the user edits, in a folder that nobody else can open.
final class EditedCopy {
    /// The content before it was edited.
    let original: [UInt8]
    /// The path of the copy.
    let path: String
    /// Whether it outlives this object.
    var isKept = false
    private let folder: String

    init(of file: String, _ bytes: [UInt8]) throws(ClientError) {
        original = bytes
        let temporary = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(temporary)/alertctl-\(String(repeating: "X", count: 6))".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw .file("\(temporary): cannot create a temporary folder: \(describe(errno))")
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // Editors choose the syntax by the name.
        path = folder + "/" + String(file[SettingsPlace.folder(of: file).endIndex...])
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600 as mode_t)
        guard descriptor >= 0, writeFully(bytes[...], to: descriptor), close(descriptor) == 0 else {
            throw .file("\(path): cannot write: \(describe(errno))")
        }
    }

    deinit {
        guard !isKept else { return }
        unsafe unlink(path)
        // Editors may have left files behind; then the folder stays.
        unsafe rmdir(folder)
    }

    /// What it contains now.
    func contents() throws(ClientError) -> [UInt8] {
        switch LocalFiles().contents(of: path, limit: SettingsLoader.maximumFileBytes) {
        case .found(let bytes): return bytes
        case .missing: throw .file("\(path): no such file")
        case .failed(let reason, _): throw .file("\(path): \(reason)")
        }
    }
}
