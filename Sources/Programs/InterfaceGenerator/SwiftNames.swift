internal import InterfaceLanguage

/// Swift names for names on the wire.
///
/// Words are joined in lower camel case. A last word `ms` becomes `Milliseconds`, and `uid` becomes `UID`; for
/// example, `sample_age_ms` becomes `sampleAgeMilliseconds`. Swift keywords are put in backticks.
enum SwiftNames {
    /// Returns the name of a member: `windowMilliseconds` for `window_ms`, `getSymbol` for `GetSymbol`.
    static func member(_ name: String) -> String {
        var words = name.split(separator: "_").map(String.init)
        if words.count > 1, let unit = words.last.flatMap({ units[$0] }) { words[words.count - 1] = unit }
        let rest = words.dropFirst().map { capitalized($0) }
        let joined = (lowercasedFirst(words.first ?? "") + rest.joined())
        return keywords.contains(joined) ? "`\(joined)`" : joined
    }

    /// Returns the name of a type for a title: `PriceHistory` for `Price history`.
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
