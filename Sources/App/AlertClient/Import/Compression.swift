/// A compression format, recognized by the first bytes of a file.
enum Compression {
    case gzip, bzip2, xz, zstd, zip

    /// Recognizes the format; nil if the content is not in a known compression format.
    init?(of content: [UInt8]) {
        let starts: [(Compression, [UInt8])] = [
            (.gzip, [0x1F, 0x8B]), (.bzip2, [0x42, 0x5A, 0x68]), (.xz, [0xFD, 0x37, 0x7A, 0x58, 0x5A]),
            (.zstd, [0x28, 0xB5, 0x2F, 0xFD]), (.zip, [0x50, 0x4B, 0x03, 0x04]),
        ]
        guard let found = starts.first(where: { content.starts(with: $0.1) }) else { return nil }
        self = found.0
    }

    /// The program that decompresses this format.
    var command: String {
        switch self {
        case .gzip: "gunzip"
        case .bzip2: "bunzip2"
        case .xz: "unxz"
        case .zstd: "unzstd"
        case .zip: "unzip"
        }
    }
}
