internal import Configuration
internal import Glibc

/// A temporary copy of a settings file for the user to edit, in a folder that no other user can open.
final class EditedCopy {
    /// The content before editing.
    let original: [UInt8]
    let path: String
    /// True if the copy is not deleted together with this object.
    var isKept = false
    private let folder: String

    init(of file: String, _ bytes: [UInt8]) throws(ClientError) {
        original = bytes
        let temporary = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(temporary)/alertctl-\(String(repeating: "X", count: 6))".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw .file("\(temporary): cannot create a temporary directory: \(describe(errno))")
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // The copy has the same file name because editors derive the syntax from it.
        path = folder + "/" + String(file[SettingsPlace.folder(of: file).endIndex...])
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600 as mode_t)
        guard descriptor >= 0, writeFully(bytes[...], to: descriptor), close(descriptor) == 0 else {
            throw .file("\(path): cannot write: \(describe(errno))")
        }
    }

    deinit {
        guard !isKept else { return }
        unsafe unlink(path)
        // This fails, and the folder remains, if the editor left files of its own.
        unsafe rmdir(folder)
    }

    /// Reads the current content of the copy.
    func contents() throws(ClientError) -> [UInt8] {
        switch LocalFiles().contents(of: path, limit: SettingsLoader.maximumFileBytes) {
        case .found(let bytes): return bytes
        case .missing: throw .file("\(path): no such file")
        case .failed(let reason, _): throw .file("\(path): \(reason)")
        }
    }
}
