internal import Control
internal import EventLoop
internal import Storage
internal import Varlink

/// What the command `backup` asks for.
extension ControlService {
    /// Makes a copy of the state file beside it and sends it; the copy is gone when it is sent, or when the client is.
    func backup(_ call: VarlinkCall) async throws(VarlinkError) {
        guard permission.mayChange(call.peer) else { throw .permissionDenied }
        guard !isBackingUp else { throw Self.storeFailed("another backup is being made; try again when it is done") }
        isBackingUp = true
        defer { isBackingUp = false }
        let copy: StateCopy
        do throws(StorageError) {
            copy = try await StateCopy(of: daemon.pipeline.stateStore.store)
        } catch {
            throw Self.storeFailed("no backup can be made: \(error)")
        }
        call.reply(BackupReply(size: copy.size), continues: true)
        while !call.isClosed, let piece = copy.next() {
            call.reply(BackupReply(data: piece), continues: true)
            await call.untilRoom()
        }
        guard copy.isAtEnd else { throw Self.storeFailed("the copy cannot be read; try again") }
        call.reply(BackupReply(crc32c: copy.checksum))
    }

    static func storeFailed(_ message: String) -> VarlinkError {
        VarlinkError(ControlInterface.ErrorName.storeFailed.qualifiedName, StoreFailed(message: message))
    }
}
