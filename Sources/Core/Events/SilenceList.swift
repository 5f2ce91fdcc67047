package import Market
package import Time

/// A silence with its metadata: its creator, reason and end.
package struct SilenceRecord: Equatable, Sendable {
    package var silence: Silence
    /// When it was created, by the wall clock.
    package var created: WallTime
    /// When it ends, by the wall clock.
    package var ends: WallTime
    /// The user according to the socket, not according to the client.
    package var creator: UserIdentity
    /// The creator's reason, one line; nil if none was given.
    package var comment: String?
    /// The hours in which it is active; nil for all hours.
    package var daily: SilenceHours?
    /// When it ended; nil while it has not.
    package var ended: WallTime?
    /// The user who ended it early; nil if it ended by itself.
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

    /// The number that identifies it to users; never reused.
    package var number: Int64 { silence.number }
    /// True if it has not ended.
    package var isActive: Bool { ended == nil }
}

/// A request for a new silence.
package struct SilenceRequest: Equatable, Sendable {
    /// The source to match; nil for all.
    package var source: SourceName?
    /// The symbols to match; nil for all.
    package var symbols: SymbolPattern?
    /// The name of the rule to match; nil for all.
    package var rule: String?
    /// The severity to match; nil for all.
    package var severity: Severity?
    package var length: SilenceLength
    /// The reason for the silence; nil if none is given.
    package var comment: String?
    /// The hours in which it is active; nil for all hours.
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

/// The length of a silence.
package enum SilenceLength: Equatable, Sendable {
    case lasting(Milliseconds)
    case until(WallTime)
}

/// The reason why a silence is refused.
package enum SilenceRefusal: Error, Equatable, Sendable {
    /// There is no criterion for symbols, rule or severity.
    case matchesEverything
    /// It would end immediately.
    case noTime
    case tooLong
    /// The comment or rule name is empty, too long, or has control characters.
    case badText
    case tooMany
    case unknown(Int64)
    case over(SilenceRecord)
}

/// The active silences and those that ended recently. Numbers are never reused.
package struct SilenceList: Equatable, Sendable {
    /// Maximum number of active silences. Each check of an alert compares it with all of them, at some 50 ns each:
    /// 1,000 silences and 1,000 checks take 50 ms per poll.
    package static let limit = 1_000
    /// Maximum number of ended silences that are kept. With the active ones, 2,000 of 2.5 kB are 5 MB.
    package static let endedLimit = 1_000
    /// Retention time of an ended silence.
    package static let keepsEnded = Milliseconds.seconds(30 * 86_400)
    /// The maximum length: a year and a day. To silence alerts for longer, change the rule.
    package static let longest = Milliseconds.seconds(366 * 86_400)
    /// Maximum length in bytes of a comment and of a rule's name.
    package static let textLimit = 1_000

    /// Enough for a thousand silences a second over 285,000 years, and small enough that sums do not overflow.
    static let greatestNumber: Int64 = 1 << 53

    /// In the order of their numbers.
    package private(set) var records: [SilenceRecord]
    /// The highest number ever used.
    package private(set) var lastNumber: Int64

    /// Creates a list of stored silences. Records with an invalid number are ignored.
    package init(records: [SilenceRecord] = [], lastNumber: Int64 = 0) {
        let possible = 1...Self.greatestNumber
        self.records = records.filter { possible.contains($0.number) }.sorted { $0.number < $1.number }
        self.lastNumber = max(min(lastNumber, Self.greatestNumber), self.records.last?.number ?? 0)
    }

    /// Returns the silence with a number, active or ended; nil if it is not in the list.
    package subscript(number: Int64) -> SilenceRecord? {
        records.first { $0.number == number }
    }

    /// Returns the silences for an engine. The one that ends last comes first, because events refer to the first
    /// match. A recurring silence is included only during its hours, and ends with them.
    ///
    /// - Parameters:
    ///   - now: The current time.
    ///   - clock: Returns the local clock of a time zone; nil is the daemon's time zone.
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

    /// True if an active silence recurs, so that the active silences depend on the time of day.
    package var hasHours: Bool { records.contains { $0.isActive && $0.daily != nil } }
}

extension SilenceList {
    /// Creates a silence.
    ///
    /// - Returns: the silence with its number.
    /// - Throws: ``SilenceRefusal``; the list is then unchanged.
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

    /// True if the text is valid as a comment or as the name of a rule.
    package static func accepts(_ text: String) -> Bool {
        let hasControls = text.unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
        return !hasControls && (1...textLimit).contains(text.utf8.count)
    }

    /// Ends silences early: all of them, or none if one is not active.
    ///
    /// - Returns: the ended silences, by number.
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
    /// Ends silences whose time is over, and removes those that ended long ago. An ended silence stays ended, even if
    /// the clock is set back.
    ///
    /// - Returns: true if anything changed.
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

    /// Returns the stored list, translated to the clock of the current boot.
    package func restored(at now: Instant, isSameBoot: Bool) -> SilenceList {
        var list = self
        for index in list.records.indices where !isSameBoot { list.records[index].translate(toBootOf: now) }
        return list
    }

    /// Appends silences that were created before the stored ones could be read.
    ///
    /// - Returns: the offset added to their numbers.
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

    /// Recomputes the end after a reboot, when only the wall clock is known. If the clock was set back, the silence
    /// lasts at most its full length.
    fileprivate mutating func translate(toBootOf now: Instant) {
        guard case .after = silence.end else { return }
        let rest = min(ends.since(now.wall), ends.since(created))
        ends = now.wall.advanced(byAtMostAYear: rest)
        silence.end = .after(now.boot.advanced(by: ends.since(now.wall)))
    }

    /// Tolerance for the displayed end, which is off if the wall clock is set or drifts. A larger difference is
    /// corrected.
    private static let tolerance = Milliseconds.seconds(60)
}
