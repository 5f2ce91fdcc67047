extension Condition: CustomStringConvertible {
    /// The condition in the words of the settings file: `min 4800000 max 7500000 hysteresis 0.5%`.
    package var description: String {
        switch self {
        case .band(let band):
            [
                band.min.map { "min \($0.price)" }, band.max.map { "max \($0.price)" },
                band.hysteresis.map { "hysteresis \($0)" },
            ].compactMap(\.self).joined(separator: " ")
        }
    }
}

extension Hysteresis: CustomStringConvertible {
    package var description: String {
        switch self {
        case .percent(let percent): "\(percent)%"
        case .amount(let amount): "\(amount)"
        }
    }
}
