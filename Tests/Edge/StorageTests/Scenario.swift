import Engine
import Events
import Market
import Rules
import TestSupport

@testable import Storage

/// A miniature daemon: it makes events, alert states and history, stores them, and after a failure retries everything
/// at the next poll, as the real one does.
struct Scenario {
    /// The expected contents of the file, with the last 30 events.
    struct Model: Equatable {
        var lastNumber: Int64 = 0
        var events: [Event] = []
        var engine: EngineSnapshot?
        var blocks: [Int64: [UInt8]] = [:]
        var parts: [StoredOpenRows] = []
        var cursor: Int64 = 0
    }

    let store: Store
    /// What there is in memory.
    private(set) var model = Model()
    /// What was in memory at the last successful commit.
    private(set) var committed = Model()
    /// What failed, in order.
    private(set) var failures: [StorageError] = []
    private(set) var isWell = false
    private var unsaved = Transaction(time: noon)
    private var alerts: [AlertSnapshot] = []

    init(_ store: Store) throws {
        self.store = store
        alerts = try (0..<8).map { try Sample.alert("a", "sym\($0)inr", .max) }
        model.engine = EngineSnapshot(
            rules: [RuleIdentity(name: "a", meaning: "max 1", place: 0)], alerts: alerts, checkpoint: [[1], [2]])
    }

    /// One poll: something happens, and is stored if that can be. Now and then the store is closed properly.
    mutating func poll(_ number: Int) throws {
        unsaved.time = noon.plus(seconds: Int64(number) * 30)
        try happen(number)
        save()
        if isWell, number % 3 == 0 { saveCursor() }
        if isWell { tidy() }
        if number % 20 == 0 { store.close() }
    }

    /// Stores what is not stored yet.
    mutating func save() {
        do throws(StorageError) {
            if !store.isOpen {
                isWell = false
                _ = try store.open(at: unsaved.time)
            }
            try store.commit(isWell ? unsaved : try everything())
            isWell = true
            committed = model
            unsaved = Transaction(time: unsaved.time)
            alerts = []
        } catch {
            isWell = false
            failures.append(error)
        }
    }

    private mutating func saveCursor() {
        model.cursor = model.lastNumber
        unsaved.cursors["journal"] = model.cursor
        do throws(StorageError) {
            try store.saveCursors(unsaved.cursors)
        } catch {
            failures.append(error)
        }
    }

    private mutating func tidy() {
        do throws(StorageError) {
            try store.tidy(at: unsaved.time)
        } catch {
            failures.append(error)
        }
    }

    private mutating func happen(_ number: Int) throws {
        for _ in 0..<number % 4 {
            model.lastNumber += 1
            let isBare = model.lastNumber % 2 == 0
            let event = isBare ? Sample.bare(model.lastNumber) : try Sample.full(model.lastNumber)
            model.events = (model.events + [event]).suffix(30)
            unsaved.events.append(event)
        }
        let place = number % 8
        model.engine?.alerts[place].encodedState = "poll \(number)"
        if let alert = model.engine?.alerts[place] { alerts.append(alert) }
        change(number)
        if number % 5 == 0 { try seal(Int64(number / 5)) }
        let part = StoredOpenRows(
            block: Int64(number / 5 + 1), firstRow: number % 5, rowCount: 1, bytes: bytes(number, 300))
        model.parts.append(part)
        unsaved.history.parts.append(part)
    }

    /// Each tenth poll makes a checkpoint, the others a record. What was not stored is part of the whole.
    private mutating func change(_ number: Int) {
        guard number % 10 == 0 || !isWell else {
            let record = EngineRecord(bytes: bytes(number, 20))
            model.engine?.records.append(record.bytes)
            unsaved.engine = .part(alerts: alerts, state: .record(record))
            return
        }
        let parts = [bytes(number, 200), bytes(number + 1, 100)]
        model.engine?.checkpoint = parts
        model.engine?.records = []
        unsaved.engine = .part(alerts: alerts, state: .checkpoint(parts))
    }

    private mutating func seal(_ id: Int64) throws {
        let block = try Sample.block(id, bytes: bytes(Int(id), 9_000))
        model.blocks[id] = block.bytes
        unsaved.history.sealed.append(block)
        model.parts.removeAll { $0.block == id }
        unsaved.history.parts.removeAll { $0.block == id }
        guard id > 4 else { return }
        model.blocks[id - 4] = nil
        unsaved.history.removed.append(id - 4)
    }

    private func bytes(_ seed: Int, _ count: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: seed), count: count)
    }

    private func everything() throws(StorageError) -> Transaction {
        let stored = try store.storedBlocks()[firstSource] ?? []
        let missing = unsaved.history.sealed.filter { !stored.contains($0.id) && model.blocks[$0.id] != nil }
        var all = unsaved
        all.engine = model.engine.map { .whole($0) }
        all.history = HistoryChanges(
            sealed: missing, parts: model.parts, replacesParts: true, kept: Set(model.blocks.keys))
        all.cursors["journal"] = model.cursor
        return all
    }
}

extension Scenario.Model {
    init(_ state: StoredState) {
        lastNumber = state.lastNumber
        events = state.events.suffix(30)
        engine = state.engine
        blocks = Dictionary(uniqueKeysWithValues: state.blocks.map { ($0.id, $0.bytes) })
        parts = state.parts
        cursor = state.cursors["journal"] ?? 0
    }
}
