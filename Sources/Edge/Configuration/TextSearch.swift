extension StringProtocol {
    /// Whether the text is somewhere in this one, byte by byte.
    ///
    /// The search of the standard library would link its regular expressions, which are a sixth of the program.
    package func includes(_ part: String) -> Bool {
        let part = Array(part.utf8)
        var rest = utf8[...]
        while rest.count >= part.count {
            if rest.starts(with: part) { return true }
            guard rest.popFirst() != nil else { return false }
        }
        return false
    }
}
