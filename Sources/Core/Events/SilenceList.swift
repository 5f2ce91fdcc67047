package import Market
package import Time

/// A silence with its metadata: who created it and why, and how it ended.
package struct SilenceRecord: Equatable, Sendable {
    /// What it matches, and its number.
    package var silence: Silence
    /// When it was created, by the wall clock.
    package var created: WallTime
    /// When it ends, by the wall clock.
    package var ends: WallTime
    /// As the socket identified the user, not as the client claimed.
    package var creator: UserIdentity
    /// Why it was created, one line; nil if its creator did not say.
    package var comment: String?
    /// The hours in which it silences; at any time if nil.
    package var daily: SilenceHours?
    /// When it ended; nil while it is active.
    package var ended: WallTime?
    /// Who ended it; nil when it ended by itself.
    package var endedBy: UserIdentity?

    package init(
        silence: Silence, created: WallTime, ends: WallTime, creator: UserIdentity, comment: String? = nil,
        daily: SilenceHours? = nil, ended: WallTime? = nil, endedBy: UserIdentity? = nil
    ) {
        self.daily = daily
        self.silence = silence
        self.created = created
        self.ends = ends
        self.creator = creator
        self.comment = comment
        self.ended = ended
        self.endedBy = endedBy
    }

    /// The number by which users name it; never used again.
    package var number: Int64 { silence.number }
    /// Whether it has not ended.
    package var isActive: Bool { ended == nil }
}

/// The request for a new silence.
package struct SilenceRequest: Equatable, Sendable {
    /// Only this source; all if nil.
    package var source: SourceName?
    /// Only these symbols; all if nil.
    package var symbols: SymbolPattern?
    /// Only events of the rule of this name; of all rules if nil.
    package var rule: String?
    /// Only events of this severity; of any if nil.
    package var severity: Severity?
    /// A duration, or the time at which it ends.
    package var length: SilenceLength
    /// The reason for the silence; nil if none is given.
    package var comment: String?
    /// The hours in which it silences; at any time if nil.
    package var daily: SilenceHours?

    package init(
        source: SourceName? = nil, symbols: SymbolPattern? = nil, rule: String? = nil, severity: Severity? = nil,
        length: SilenceLength, comment: String? = nil, daily: SilenceHours? = nil
    ) {
        self.daily = daily
        self.source = source
        self.symbols = symbols
        self.rule = rule
        self.severity = severity
        self.length = length
        self.comment = comment
    }
}

/// How long a silence lasts.
package enum SilenceLength: Equatable, Sendable {
    case lasting(Milliseconds)
    case until(WallTime)
}

/// Why a silence is refused.
package enum SilenceRefusal: Error, Equatable, Sendable {
    /// It names no symbols, rule or severity.
    case matchesEverything
    /// It would end at once.
    case noTime
    case tooLong
    /// A comment or rule name that has control characters, or is too long.
    case badText
    case tooMany
    case unknown(Int64)
    case over(SilenceRecord)
}

/// The active silences and those that ended recently. A number is never used twice.
package struct SilenceList: Equatable, Sendable {
    /// The most that are active at once. Each is compared with each alert that is checked, at some 50 ns: 1,000 of
    /// them with 1,000 such alerts are 50 ms a poll.
    package static let limit = 1_000
    /// The most ended ones that are kept: with the active ones, 2,000 of 2.5 kB are 5 MB.
    package static let endedLimit = 1_000
    /// How long an ended one is kept.
    package static let keepsEnded = Milliseconds.seconds(30 * 86_400)
    /// A year and a day; anyone who needs more needs another rule.
    package static let longest = Milliseconds.seconds(366 * 86_400)
    /// Of a comment and of the name of a rule, in bytes.
    package static let textLimit = 1_000

    /// Enough for a thousand a second over 285,000 years; sums of such numbers do not overflow.
    static let greatestNumber: Int64 = 1 << 53

    /// By number.
    package private(set) var records: [SilenceRecord]
    /// The greatest number ever used.
    package private(set) var lastNumber: Int64

    /// Makes a list of stored silences. Numbers that no silence can have are ignored.
    package init(records: [SilenceRecord] = [], lastNumber: Int64 = 0) {
        let possible = 1...Self.greatestNumber
        self.records = records.filter { possible.contains($0.number) }.sorted { $0.number < $1.number }
        self.lastNumber = max(min(lastNumber, Self.greatestNumber), self.records.last?.number ?? 0)
    }

    /// The silence with a number, whether it is active or has ended; nil if it is not kept.
    package subscript(number: Int64) -> SilenceRecord? {
        records.first { $0.number == number }
    }

    /// The silences for an engine, the one that ends last first, because events name the first that matches. One that
    /// comes back is among them in its hours, and ends with them.
    ///
    /// - Parameters:
    ///   - now: The present.
    ///   - clock: The clock on the wall in a time zone; in that of the daemon when nil.
    /// - Returns: The silences.
    package func inForce(
        at now: Instant, clock: (_ zone: String?) -> SilenceHours.LocalMinutes = { _ in SilenceHours.utc }
    ) -> [Silence] {
        let present = records.filter(\.isActive).compactMap { record -> (ends: WallTime, silence: Silence)? in
            guard let daily = record.daily else { return (record.ends, record.silence) }
            guard let end = daily.end(at: now.wall, clock(daily.zone)) else { return nil }
            var silence = record.silence
            if end < record.ends { silence.end = .at(end) }
            return (min(end, record.ends), silence)
        }
        return present.sorted { ($1.ends, $0.silence.number) < ($0.ends, $1.silence.number) }.map(\.silence)
    }

    /// Whether any silence comes back, so that the time of day decides which are in effect.
    package var hasHours: Bool { records.contains { $0.isActive && $0.daily != nil } }
}

extension SilenceList {
    /// Starts a silence.
    ///
    /// - Returns: the silence with its number.
    /// - Throws: ``SilenceRefusal``; nothing has changed then.
    package mutating func add(
        _ request: SilenceRequest, by user: UserIdentity, at now: Instant
    ) throws(SilenceRefusal) -> SilenceRecord {
        guard request.symbols != nil || request.rule != nil || request.severity != nil else {
            throw .matchesEverything
        }
        let length: Milliseconds
        let end: SilenceEnd
        switch request.length {
        case .lasting(let asked): (length, end) = (asked, .after(now.boot.advanced(by: asked)))
        case .until(let time): (length, end) = (time.since(now.wall), .at(time))
        }
        guard length > .zero else { throw .noTime }
        guard length <= Self.longest else { throw .tooLong }
        guard [request.comment, request.rule].compactMap(\.self).allSatisfy(Self.accepts) else { throw .badText }
        guard records.count(where: \.isActive) < Self.limit, lastNumber < Self.greatestNumber else { throw .tooMany }
        lastNumber += 1
        let record = SilenceRecord(
            silence: Silence(
                number: lastNumber, source: request.source, symbols: request.symbols, rule: request.rule,
                severity: request.severity, end: end),
            created: now.wall, ends: WallTime(milliseconds: now.wall.milliseconds + length.count), creator: user,
            comment: request.comment, daily: request.daily)
        records.append(record)
        return record
    }

    /// Whether the text may be a comment or the name of a rule.
    package static func accepts(_ text: String) -> Bool {
        let hasControls = text.unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
        return !hasControls && (1...textLimit).contains(text.utf8.count)
    }

    /// Ends silences early: all of these, or none.
    ///
    /// - Returns: the ended ones, by number.
    /// - Throws: ``SilenceRefusal`` for the first one that is not active.
    package mutating func expire(
        _ numbers: Set<Int64>, by user: UserIdentity, at now: Instant
    ) throws(SilenceRefusal) -> [SilenceRecord] {
        for number in numbers.sorted() {
            guard let record = self[number] else { throw .unknown(number) }
            guard record.isActive else { throw .over(record) }
        }
        for index in records.indices where numbers.contains(records[index].number) {
            records[index].ended = now.wall
            records[index].endedBy = user
        }
        return records.filter { numbers.contains($0.number) }
    }
}

extension SilenceList {
    /// Ends the silences whose time has come and forgets those that ended long ago. An ended silence stays ended, even
    /// when the clock is set back.
    ///
    /// - Returns: whether anything changed.
    package mutating func update(at now: Instant) -> Bool {
        guard !records.isEmpty else { return false }
        let before = self
        for index in records.indices where records[index].isActive { records[index].update(at: now) }
        let oldest = now.wall.milliseconds - Self.keepsEnded.count
        records.removeAll { $0.ended.map { $0.milliseconds < oldest } ?? false }
        let excess = records.count { !$0.isActive } - Self.endedLimit
        if excess > 0 {
            let first = Set(records.filter { !$0.isActive }.prefix(excess).map(\.number))
            records.removeAll { first.contains($0.number) }
        }
        return self != before
    }

    /// The stored list, translated to the clock of the current boot.
    package func restored(at now: Instant, isSameBoot: Bool) -> SilenceList {
        var list = self
        for index in list.records.indices where !isSameBoot { list.records[index].translate(toBootOf: now) }
        return list
    }

    /// Appends silences that were started before the stored ones could be read.
    ///
    /// - Returns: how much their numbers have grown.
    package mutating func append(_ own: SilenceList) -> Int64 {
        let offset = lastNumber
        records += own.records.map { record in
            var moved = record
            moved.silence.number += offset
            return moved
        }
        lastNumber += own.lastNumber
        return offset
    }
}

extension SilenceRecord {
    fileprivate mutating func update(at now: Instant) {
        let shown = silence.end.shown(at: now)
        if max(shown.since(ends), ends.since(shown)) > Self.tolerance { ends = shown }
        if silence.isOver(at: now) { ended = min(ends, now.wall) }
    }

    /// After a boot only the wall clock is left; if it was set back, the silence still lasts no longer than its whole
    /// length.
    fileprivate mutating func translate(toBootOf now: Instant) {
        guard case .after = silence.end else { return }
        let rest = min(ends.since(now.wall), ends.since(created))
        ends = now.wall.advanced(byAtMostAYear: rest)
        silence.end = .after(now.boot.advanced(by: ends.since(now.wall)))
    }

    /// How far the shown end may be off before it is corrected, because the wall clock was set or drifts.
    private static let tolerance = Milliseconds.seconds(60)
}
