internal import Configuration
internal import Control
internal import Time

/// The conversions that the user has kept. They are in a file in the same folder as the favourites, one JSON object
/// per line, oldest first.
struct KeptConversions {
    /// The maximum number of conversions. If there are more, the oldest are dropped.
    static let limit = 500
    /// The maximum size of the file in bytes, slightly more than 500 lines × 500 bytes.
    private static let fileLimit = 256 << 10

    private(set) var conversions: [KeptConversion] = []

    /// Reads the file; if it does not exist, there are no conversions.
    ///
    /// - Throws: ``ClientError/file(_:)`` if the file cannot be read or is damaged; the message says what to do. The
    ///   file is not changed, so that nothing in it is lost.
    init(_ environment: ClientEnvironment) throws(ClientError) {
        guard let path = Self.path(environment) else { return }
        switch environment.files.contents(of: path, limit: Self.fileLimit) {
        case .missing: return
        case .failed(let reason, _): throw .file("\(path): \(reason); \(Self.remedy)")
        case .found(let bytes):
            for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
                guard !line.isEmpty else { continue }
                guard let conversion = KeptConversion(line: Array(line)),
                    conversion.number > conversions.last?.number ?? 0
                else {
                    throw .file("\(path):\(index + 1): not a kept conversion; correct or remove the line, \(Self.rest)")
                }
                conversions.append(conversion)
            }
        }
    }

    private static let remedy = "correct the file, \(rest)"
    private static let rest = "or start a new list with 'alertctl convert --forget all'"

    private static func path(_ environment: ClientEnvironment) -> String? {
        environment.userFolder.map { "\($0)/conversions" }
    }

    /// Returns the conversion with this number.
    ///
    /// - Throws: ``ClientError/noSuchConversion(_:)``.
    func conversion(_ number: Int) throws(ClientError) -> KeptConversion {
        guard let found = conversions.first(where: { $0.number == number }) else { throw .noSuchConversion(number) }
        return found
    }

    /// Keeps conversions that were just made. Without a home folder, nothing is kept.
    ///
    /// - Throws: ``ClientError``; the file is unchanged in that case.
    static func keep(_ replies: [ConvertReply], _ environment: ClientEnvironment) throws(ClientError) {
        guard let path = path(environment), !replies.isEmpty else { return }
        let lock = UserFile.lock(path)
        defer { withExtendedLifetime(lock) {} }
        var conversions = try KeptConversions(environment).conversions
        let time = environment.now()
        for reply in replies {
            let number = (conversions.last?.number ?? 0) + 1
            let conversion = KeptConversion(reply, number: number, time: time)
            // A line that cannot be read back would make the whole file unreadable.
            guard KeptConversion(line: conversion.line) == conversion else {
                throw .malformed("an amount, a currency or a date in a conversion")
            }
            conversions.append(conversion)
        }
        try write(conversions.suffix(limit), path)
    }

    /// Forgets the conversions with these numbers. If one of them does not exist, none is forgotten.
    ///
    /// - Returns: the forgotten conversions.
    static func forget(
        _ numbers: Set<Int>, _ environment: ClientEnvironment
    ) throws(ClientError) -> [KeptConversion] {
        guard let path = path(environment), let first = numbers.min() else { return [] }
        let lock = UserFile.lock(path)
        defer { withExtendedLifetime(lock) {} }
        let kept = try KeptConversions(environment)
        let forgotten = kept.conversions.filter { numbers.contains($0.number) }
        guard forgotten.count == numbers.count else {
            let known = Set(kept.conversions.map(\.number))
            throw .noSuchConversion(numbers.subtracting(known).min() ?? first)
        }
        try write(kept.conversions.filter { !numbers.contains($0.number) }[...], path)
        return forgotten
    }

    /// Forgets all conversions, even if the file is damaged.
    ///
    /// - Returns: the forgotten conversions; empty if the file is damaged.
    static func forgetAll(_ environment: ClientEnvironment) throws(ClientError) -> [KeptConversion] {
        guard let path = path(environment) else { return [] }
        let lock = UserFile.lock(path)
        defer { withExtendedLifetime(lock) {} }
        let forgotten = (try? KeptConversions(environment))?.conversions ?? []
        try write([], path)
        return forgotten
    }

    private static func write(_ conversions: ArraySlice<KeptConversion>, _ path: String) throws(ClientError) {
        try UserFile.replace(path, conversions.flatMap(\.line))
    }
}
