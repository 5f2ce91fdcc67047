internal import Control
internal import Delivery
internal import EventLoop
internal import Glibc
internal import Journal
internal import Notifications
internal import Receivers

extension LeaseKeeper {
    /// Logs which daemon notifies, and failures.
    func logChanges(to log: Log) {
        onChange = { [weak self] change in
            switch change {
            case .held: log.notice("lease: held; this alertd notifies", id: .leaseHeld)
            case .standby(let name): log.notice("lease: \(name) notifies; standing by", id: .leaseStandby)
            case .failed(let reason):
                let isHeld = self?.isHeld == true
                log.warning(
                    "lease: \(reason); "
                        + "\(isHeld ? "it is held until it expires" : "no notifications are sent in the meantime")",
                    id: .leaseFailed)
            }
        }
    }
}

extension LeaseStatus {
    @LoopActor
    init(_ keeper: LeaseKeeper) {
        let holder = keeper.lease.other?.name
        let isKnown = holder != nil && keeper.failure == nil
        self.init(
            name: keeper.name, state: keeper.isHeld ? .held : isKnown ? .standby : .waiting, holder: holder,
            message: keeper.failure)
    }
}

/// Returns the name of this machine without characters other than printable ASCII.
func machineName() -> String {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return "alertd" }
    let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let text = String(decoding: bytes.filter { (0x21...0x7E).contains($0) }, as: UTF8.self)
    return text.isEmpty ? "alertd" : text
}
