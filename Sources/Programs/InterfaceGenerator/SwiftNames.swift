internal import InterfaceLanguage

/// How names of the wire are written in Swift.
///
/// Words are joined in lower camel case. As the last word `ms` becomes `Milliseconds` and `uid` becomes `UID`, so that
/// `sample_age_ms` is `sampleAgeMilliseconds`. Names that Swift reserves are quoted.
enum SwiftNames {
    /// `windowMilliseconds` for `window_ms`; `getSymbol` for `GetSymbol`.
    static func member(_ name: String) -> String {
        var words = name.split(separator: "_").map(String.init)
        if words.count > 1, let unit = words.last.flatMap({ units[$0] }) { words[words.count - 1] = unit }
        let rest = words.dropFirst().map { capitalized($0) }
        let joined = (lowercasedFirst(words.first ?? "") + rest.joined())
        return keywords.contains(joined) ? "`\(joined)`" : joined
    }

    /// `PriceHistory` for `Price history`.
    static func type(_ title: String) -> String {
        title.split(separator: " ").map { capitalized(String($0)) }.joined()
    }

    static func type(_ type: InterfaceType, enumerations: Set<String>, in namespace: String) -> String {
        switch type {
        case .bool: "Bool"
        case .int: "Int"
        case .float: "Double"
        case .string: "String"
        case .named(let name): enumerations.contains(name) ? "\(namespace).\(name)" : name
        case .array(let element): "[\(self.type(element, enumerations: enumerations, in: namespace))]"
        case .optional(let wrapped): "\(self.type(wrapped, enumerations: enumerations, in: namespace))?"
        }
    }

    private static let units = ["ms": "Milliseconds", "uid": "UID"]

    private static let keywords: Set = [
        "as", "break", "case", "class", "continue", "default", "defer", "do", "else", "enum", "extension", "false",
        "for", "func", "guard", "if", "import", "in", "init", "is", "let", "nil", "operator", "private", "protocol",
        "public", "repeat", "return", "self", "static", "struct", "switch", "throw", "true", "try", "var", "where",
        "while",
    ]

    private static func capitalized(_ word: String) -> String {
        word.prefix(1).uppercased() + word.dropFirst()
    }

    private static func lowercasedFirst(_ word: String) -> String {
        word.prefix(1).lowercased() + word.dropFirst()
    }
}
