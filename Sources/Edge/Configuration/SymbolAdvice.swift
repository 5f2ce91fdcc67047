internal import Diagnostics

/// Returns the symbol that was probably meant by a name that is not listed.
///
/// The name of an asset, such as `eth`, probably means a market of that asset rather than of one whose name starts the
/// same way (`ethw`). A market that does not exist, such as `ethsek`, probably means another market of the same asset,
/// unless it looks like a typo.
///
/// - Parameters:
///   - name: The name that was written.
///   - names: The listed symbols.
/// - Returns: One of the names, or nil if none is similar.
package func symbolMeant(by name: String, among names: [String]) -> String? {
    let plain = name.lowercased()
    let markets = plain.utf8.count > 1 ? names.filter { $0.hasPrefix(plain) } : []
    let market = markets.min { $0.utf8.count < $1.utf8.count }
    return market ?? nearest(to: plain, among: names) ?? relative(of: plain, names)
}

/// Returns the symbol that shares the longest beginning with a name, at least three characters. Of several, returns
/// the shortest.
private func relative(of name: String, _ names: [String]) -> String? {
    let shared = { (symbol: String) in zip(symbol.utf8, name.utf8).prefix { $0 == $1 }.count }
    let related = names.filter { shared($0) >= 3 }
    return related.min { (-shared($0), $0.utf8.count) < (-shared($1), $1.utf8.count) }
}
