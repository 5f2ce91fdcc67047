internal import Control
internal import EventLoop
internal import History
internal import Market
internal import Storage
internal import Time
internal import Varlink

/// The call `ImportPrices`.
@LoopActor
struct ImportHandlers: CallGroup {
    private let query: PipelineQuery
    private let prices: any PriceImporter
    private let access: ControlAccess
    private let imports = PendingImports()

    init(_ query: PipelineQuery, _ prices: any PriceImporter, _ access: ControlAccess) {
        self.query = query
        self.prices = prices
        self.access = access
    }

    var handlers: [(ControlInterface.Method, VarlinkMethod)] {
        [
            (.importPrices, .single { call throws(VarlinkError) in try self.importPrices(call) })
        ]
    }

    private func importPrices(_ call: VarlinkCall) throws(VarlinkError) {
        try access.changer(call)
        let parameters = try call.decodeParameters(as: ImportPricesParameters.self)
        let lane = try query.oneSource(parameters.source).lane
        guard let samples = try imports.add(parameters, of: call, now: query.clock.now().wall) else {
            return call.reply(ImportPricesReply(added: 0, duplicates: 0, conflicting: 0, tooOld: 0))
        }
        let counts = prices.importPrices(samples, of: lane)
        if parameters.last {
            do throws(StorageError) {
                try prices.saveHistory()
            } catch {
                throw .storeFailed("the prices were imported, but cannot be saved now: \(error)")
            }
        }
        call.reply(
            ImportPricesReply(
                added: counts.added, duplicates: counts.duplicate, conflicting: counts.conflicting,
                tooOld: counts.tooOld))
    }
}
