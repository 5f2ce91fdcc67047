/// Returns the candidate that `word` was probably meant to be: the first one with the fewest edits (insert, delete,
/// replace, swap of neighbours), or nil if all candidates need too many edits for the length of the word.
package func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    guard word.utf8.count <= longestWord else { return nil }
    let limit = max(1, word.utf8.count / 3)
    var best: (candidate: String, distance: Int)?
    for candidate in candidates where candidate != word {
        let distance = editDistance(Array(word.utf8), Array(candidate.utf8.prefix(longestWord)))
        if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.candidate
}

/// The maximum length of a word, in bytes. Longer words are not typos. With 64 bytes per side, a comparison fills a
/// table of 4,096 cells.
private let longestWord = 64

/// Returns the optimal string alignment distance.
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    guard !left.isEmpty, !right.isEmpty else { return left.count + right.count }
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for i in 1...left.count {
        var current = [i]
        for j in 1...right.count {
            let replaced = previous[j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1)
            var cost = min(replaced, previous[j] + 1, current[j - 1] + 1)
            if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
                cost = min(cost, beforePrevious[j - 2] + 1)
            }
            current.append(cost)
        }
        beforePrevious = previous
        previous = current
    }
    return previous[right.count]
}
