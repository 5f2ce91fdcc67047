internal import Control
internal import EventLoop
internal import Storage
internal import Varlink

/// The call `Backup`.
@LoopActor
final class BackupHandlers: CallGroup {
    private let source: any BackupSource
    private let access: ControlAccess
    /// True while a copy is being made or sent. Only one copy is made at a time.
    private var isBackingUp = false

    init(_ source: any BackupSource, _ access: ControlAccess) {
        self.source = source
        self.access = access
    }

    var handlers: [(ControlInterface.Method, VarlinkMethod)] {
        [
            (.backup, .stream { call throws(VarlinkError) in try await self.backup(call) })
        ]
    }

    /// Makes a copy of the state file next to it, sends the copy, and deletes it.
    private func backup(_ call: VarlinkCall) async throws(VarlinkError) {
        try access.changer(call)
        guard !isBackingUp else { throw .storeFailed("another backup is in progress; try again when it has finished") }
        isBackingUp = true
        defer { isBackingUp = false }
        let copy: StateCopy
        do throws(StorageError) {
            copy = try await StateCopy(of: source.store)
        } catch {
            throw .storeFailed("the backup failed: \(error)")
        }
        call.reply(BackupReply(size: copy.size), continues: true)
        while !call.isClosed, let piece = copy.next() {
            call.reply(BackupReply(data: piece), continues: true)
            await call.untilRoom()
        }
        guard copy.isAtEnd else { throw .storeFailed("the copy cannot be read; try again") }
        call.reply(BackupReply(crc32c: copy.checksum))
    }
}
