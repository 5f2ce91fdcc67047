internal import Control
internal import Market
internal import Terminal
internal import Time

/// The converter of the live view: the amount and the currencies that the user types, and the outcome of the
/// conversion.
struct WatchConverter: Equatable {
    enum Field: CaseIterable {
        case amount
        case from
        /// One currency, or several separated by spaces.
        case to
    }

    enum Outcome: Equatable {
        /// Nothing has been converted yet.
        case none
        case results([ConvertReply])
        case fault(String)
    }

    /// The time from the last keypress to the conversion, so that not every digit causes a call.
    static let delay = Milliseconds(250)
    private static let lengthLimit = 40

    private var texts: [Field: String]
    private(set) var field = Field.amount
    /// True if the next character replaces the text of the selected field.
    private(set) var isSelected = true
    private(set) var outcome = Outcome.none
    /// True if the fields or the prices have changed since the last conversion.
    private(set) var isPending = true
    /// True if a key has changed the fields since the last call of ``setEditTime(_:)``.
    private var isEdited = false
    private var editTime: WallTime?
    /// True while the daemon cannot be reached.
    private var isAway = false

    /// Fills the fields with the last price of the symbol in its quote currency, to be converted to the display
    /// currency or, if they are the same, to US dollars or euros.
    init(_ symbol: SymbolStatus?, in currency: Currency?) {
        let own = symbol?.quote.flatMap { Currency($0) } ?? Currency("USD") ?? .euro
        let other = [currency, Currency("USD"), .euro].compactMap(\.self).first { $0 != own } ?? .euro
        texts = [.amount: symbol?.last ?? "1", .from: "\(own)", .to: "\(other)"]
    }

    func text(_ field: Field) -> String { texts[field] ?? "" }

    var targets: [String] { text(.to).split(separator: " ").map(String.init) }

    mutating func handle(_ key: Key) {
        switch key {
        case .tab, .down: select(1)
        case .backTab, .up: select(-1)
        case .end, .right: isSelected = false
        case .backspace: edit { text, isSelected in isSelected ? "" : String(text.dropLast()) }
        case .delete, .control("u"): edit { _, _ in "" }
        case .character(let character): edit { text, isSelected in (isSelected ? "" : text) + String(character) }
        default: break
        }
    }

    private mutating func select(_ step: Int) {
        let all = Field.allCases
        field = all[((all.firstIndex(of: field) ?? 0) + step + all.count) % all.count]
        isSelected = true
    }

    private mutating func edit(_ change: (_ text: String, _ isSelected: Bool) -> String) {
        let new = change(text(field), isSelected)
        isSelected = false
        guard new != text(field), new.count <= Self.lengthLimit else { return }
        texts[field] = new
        (isPending, isEdited) = (true, true)
        // Otherwise, the old result would look like the result of the new fields.
        outcome = .none
    }
}

// MARK: Timing

extension WatchConverter {
    /// Records the time of the last edit. Does nothing if no key has changed the fields since the previous call.
    mutating func setEditTime(_ now: WallTime) {
        if isEdited { editTime = now }
        isEdited = false
    }

    /// Returns the time until the fields should be converted; nil if the outcome belongs to the current fields.
    func remaining(at now: WallTime) -> Milliseconds? {
        guard isPending else { return nil }
        guard let editTime else { return .zero }
        let passed = now.since(editTime)
        // If the clock was set back, convert immediately instead of waiting for it to catch up.
        guard passed >= .zero else { return .zero }
        return max(.zero, Milliseconds(Self.delay.count - passed.count))
    }

    mutating func finish(_ outcome: Outcome) {
        (self.outcome, isPending) = (outcome, false)
    }

    /// Applies the result of a status request. If there are new prices, or the daemon can be reached again, the
    /// fields are converted again. While the daemon cannot be reached, its fault replaces the result.
    mutating func update(isNew: Bool, fault: String?) {
        if let fault {
            isAway = true
            return finish(.fault(fault))
        }
        if isNew || isAway { isPending = true }
        isAway = false
    }
}

// MARK: The daemon

extension WatchLoader {
    /// Converts the fields of the converter.
    func convert(_ state: inout WatchState) {
        guard let converter = state.converter else { return }
        do throws(ClientError) {
            let request = try ConversionRequest(
                amount: converter.text(.amount), from: converter.text(.from), to: converter.targets, context)
            state.converter?.finish(.results(try request.replies(try connected(), context)))
        } catch {
            // The connection can still be used, for example if the fields are invalid.
            guard !error.leavesConnection else {
                state.converter?.finish(.fault(error.message))
                return
            }
            lose(error, &state.data)
            state.converter?.update(isNew: false, fault: state.data.fault)
        }
    }

    /// Keeps the results. Fields that have changed since the last conversion are converted first.
    func keepConversion(_ state: inout WatchState) {
        if state.converter?.isPending == true { convert(&state) }
        guard case .results(let replies) = state.converter?.outcome else { return }
        guard context.environment.userFolder != nil else {
            state.message = ("there is no home folder to keep conversions in", true)
            return
        }
        do throws(ClientError) {
            try KeptConversions.keep(replies, context.environment)
            state.message = ("kept; 'alertctl convert --history' lists it", false)
        } catch {
            state.message = (error.message, true)
        }
    }
}
