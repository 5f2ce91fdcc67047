internal import Control
internal import EventLoop
internal import History
internal import Market
internal import Storage
internal import Time
internal import Varlink

/// What the command `import` asks for.
extension ControlService {
    func importPrices(_ call: VarlinkCall) throws(VarlinkError) {
        guard permission.mayChange(call.peer) else { throw .permissionDenied }
        let parameters = try call.decodeParameters(as: ImportPricesParameters.self)
        guard let samples = try imports.add(parameters, of: call, now: daemon.clock.now().wall) else {
            return call.reply(ImportPricesReply(added: 0, duplicates: 0, conflicting: 0, tooOld: 0))
        }
        let counts = daemon.pipeline.importPrices(samples)
        if parameters.last {
            do throws(StorageError) {
                try daemon.pipeline.saveHistory()
            } catch {
                throw Self.storeFailed("the prices were taken up, but cannot be saved now: \(error)")
            }
        }
        call.reply(
            ImportPricesReply(
                added: counts.added, duplicates: counts.duplicate, conflicting: counts.conflicting,
                tooOld: counts.tooOld))
    }
}
