internal import Engine
internal import EventLoop
internal import Events

extension Pipeline {
    func acknowledge(_ target: AlertTarget, _ acknowledgement: Acknowledgement?) -> Int {
        let count = engine.acknowledge(
            rule: target.rule, symbol: target.symbol, bound: target.bound, acknowledgement)
        persist()
        return count
    }

    func arm(_ target: AlertTarget) {
        _ = engine.arm(rule: target.rule, symbol: target.symbol)
        persist()
    }
}
