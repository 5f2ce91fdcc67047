/// A position in a file.
struct Place: Hashable {
    var line = 1
    var column = 1

    func fault(_ fault: RateFileError.Fault) -> RateFileError {
        RateFileError(fault, line: line, column: column)
    }
}

/// Returns an excerpt of a file for a message: at most 40 bytes of printable ASCII, whatever the file contains.
func excerpt(_ bytes: some Sequence<UInt8>) -> String {
    let start = Array(bytes.prefix(41))
    let shown = start.prefix(40).map { 0x20...0x7E ~= $0 ? $0 : UInt8(ascii: "?") }
    return String(decoding: shown, as: UTF8.self) + (start.count > 40 ? "…" : "")
}

func excerpt(_ text: String) -> String { excerpt(text.utf8) }
