internal import Glibc
internal import InterfaceGenerator
internal import InterfaceLanguage

/// `interfacegen DESCRIPTION FOLDER`: writes the Swift files of an interface into a folder.

func fail(_ message: String) -> Never {
    let line = "interfacegen: \(message)\n"
    _ = unsafe write(STDERR_FILENO, line, line.utf8.count)
    exit(1)
}

func contents(of path: String) -> String? {
    guard let file = unsafe fopen(path, "r") else { return nil }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
        let count = unsafe fread(&piece, 1, piece.count, file)
        guard count > 0 else { return String(validating: bytes, as: UTF8.self) }
        bytes += piece.prefix(count)
    }
}

func save(_ text: String, to path: String) -> Bool {
    guard let file = unsafe fopen(path, "w") else { return false }
    let isWritten = unsafe fputs(text, file) >= 0
    return unsafe fclose(file) == 0 && isWritten
}

func generate(from path: String, into folder: String) {
    guard let text = contents(of: path) else { fail("cannot read \(path)") }
    do {
        let definition = try InterfaceDefinition(text)
        let source = String(path.split(separator: "/").last ?? "")
        for file in InterfaceGenerator(definition, source: source).files() {
            guard save(file.text, to: "\(folder)/\(file.name)") else { fail("cannot write \(folder)/\(file.name)") }
        }
    } catch {
        fail("\(path): \(error)")
    }
}

guard CommandLine.arguments.count == 3 else { fail("usage: interfacegen DESCRIPTION FOLDER") }
generate(from: CommandLine.arguments[1], into: CommandLine.arguments[2])
