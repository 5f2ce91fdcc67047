internal import Diagnostics

/// The symbol that was probably meant by a name that is not listed.
///
/// An asset, as in `eth`, is likely to mean its market, and not that of another one that begins with it (`ethw`). A
/// market that is not a typo, as `ethsek`, is likely to mean another one of the same asset.
///
/// - Parameters:
///   - name: What was written.
///   - names: The listed symbols.
/// - Returns: One of the names; nil if none is similar.
package func symbolMeant(by name: String, among names: [String]) -> String? {
    let plain = name.lowercased()
    let markets = plain.utf8.count > 1 ? names.filter { $0.hasPrefix(plain) } : []
    let market = markets.min { $0.utf8.count < $1.utf8.count }
    return market ?? nearest(to: plain, among: names) ?? relative(of: plain, names)
}

/// The first of the shortest symbols that share most of their beginning with a name, at least three characters.
private func relative(of name: String, _ names: [String]) -> String? {
    let shared = { (symbol: String) in zip(symbol.utf8, name.utf8).prefix { $0 == $1 }.count }
    let related = names.filter { shared($0) >= 3 }
    return related.min { (-shared($0), $0.utf8.count) < (-shared($1), $1.utf8.count) }
}
