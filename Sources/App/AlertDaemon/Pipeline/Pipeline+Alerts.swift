internal import Engine
internal import EventLoop
internal import Events

extension Pipeline {
    func acknowledge(_ target: AlertTarget, _ acknowledgement: Acknowledgement?) -> Int {
        guard let lane = lane(ofRule: target.rule) else { return 0 }
        let count = lane.engine.acknowledge(
            rule: target.rule, symbol: target.symbol, bound: target.bound, acknowledgement)
        commit()
        return count
    }

    func arm(_ target: AlertTarget) {
        _ = lane(ofRule: target.rule)?.engine.arm(rule: target.rule, symbol: target.symbol)
        commit()
    }
}
