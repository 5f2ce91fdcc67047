internal import Glibc
internal import InterfaceGenerator
internal import InterfaceLanguage

// Usage:
//
// - `interfacegen DESCRIPTION FOLDER` writes the Swift files of an interface to a folder.
// - `interfacegen DESCRIPTION OUTPUTS FOLDER` writes the JSON Schemas of the outputs of alertctl to a folder.

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

func text(of path: String) -> String {
    guard let text = contents(of: path) else { fail("cannot read \(path)") }
    return text
}

func files(_ arguments: [String]) -> [GeneratedFile] {
    let description = text(of: arguments[0])
    do {
        guard arguments.count == 2 else {
            return try SchemaGenerator(text(of: arguments[1]), using: description, program: "alertctl").files()
        }
        let source = String(arguments[0].split(separator: "/").last ?? "")
        return InterfaceGenerator(try InterfaceDefinition(description), source: source).files()
    } catch {
        fail("\(arguments.dropLast().joined(separator: ", ")): \(error)")
    }
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard [2, 3].contains(arguments.count) else { fail("usage: interfacegen DESCRIPTION [OUTPUTS] FOLDER") }
for file in files(arguments) {
    let path = "\(arguments[arguments.count - 1])/\(file.name)"
    guard save(file.text, to: path) else { fail("cannot write \(path)") }
}
