internal import Time

/// What is done before a commit so that it waits for the disk as briefly as possible. It fails without consequences:
/// the commit then takes as long as it does.
struct LogPreparation {
    /// Whether the log of each file that is opened is to be extended.
    private var isWanted = false
    /// Whether that of the open file was.
    private var isExtended = false
    /// Nil until then, and where the disk cannot be woken.
    private var waker: DiskWaker?
    /// Which part of the log was read ahead, and when all of it was last read.
    private var ahead: (part: Range<Int64>, time: WallTime?) = (0..<0, nil)

    /// How much of the log is read ahead: what six polls with an event take, each of five pages with its cursors.
    private static let aheadBytes: Int64 = 128 << 10
    /// After which time it is read again: what nobody has used for a minute is easily dropped.
    private static let aheadPeriod = Milliseconds.seconds(10)
    /// After which time without a commit the disk may be asleep.
    private static let wakePeriod = Milliseconds(100)

    /// Begins again with another file, or with the same one opened again.
    mutating func restart() {
        (isExtended, waker, ahead) = (false, nil, (0..<0, nil))
    }

    /// Makes the log as long as it gets with this many pages before a checkpoint, and waits for the disk; does so later
    /// when there is no file yet that can be written.
    mutating func extendLog(of database: Database?, toPages count: Int32) {
        isWanted = true
        guard let database else { return }
        isExtended = true
        // The commit that makes it too long still fits.
        let end = database.extendLog(toPages: count + 64)
        // Its last block is rarely written.
        waker = DiskWaker(file: database.path + "-wal", end: end)
    }

    /// Reads what the next commits overwrite, unless it was read lately; first extends the log of a file that was
    /// opened again. Returns what was read, in bytes of the log.
    mutating func readLogAhead(of database: Database, toPages count: Int32, at now: WallTime) -> Range<Int64> {
        guard let start = database.logEnd else { return 0..<0 }
        if isWanted, !isExtended { extendLog(of: database, toPages: count) }
        let (known, time) = ahead
        let isOld = now.isDue(after: time, Self.aheadPeriod) || !known.contains(start)
        let missing = (isOld ? start : known.upperBound)..<start + Self.aheadBytes
        guard isOld || missing.count > Self.aheadBytes / 2 else { return 0..<0 }
        database.readLog(missing)
        ahead = (start..<missing.upperBound, isOld ? now : time)
        return missing
    }

    /// Wakes the disk if it may be asleep; says whether it is being woken.
    func wakeDisk(at now: WallTime, after lastSync: WallTime?) -> Bool {
        guard let waker, now.isDue(after: lastSync, Self.wakePeriod) else { return false }
        return waker.wake()
    }
}

extension WallTime {
    /// Whether the period has passed since then; true also when the clock was set back.
    func isDue(after last: WallTime?, _ period: Milliseconds) -> Bool {
        guard let last else { return true }
        let passed = since(last)
        return passed < .zero || passed >= period
    }
}
