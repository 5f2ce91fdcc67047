internal import Control
internal import Market
internal import Terminal
internal import Time

/// The converter of the live view: an amount and currencies that the user types, and what they were converted to.
struct WatchConverter: Equatable {
    enum Field: CaseIterable {
        case amount
        case from
        /// One currency or several, with spaces between them.
        case to
    }

    enum Outcome: Equatable {
        /// Nothing has been converted yet.
        case none
        case results([ConvertReply])
        case fault(String)
    }

    /// After the last key, so that not every digit is a call.
    static let delay = Milliseconds(250)
    private static let lengthLimit = 40

    private var texts: [Field: String]
    private(set) var field = Field.amount
    /// Whether the next character replaces the text of the field.
    private(set) var isSelected = true
    private(set) var outcome = Outcome.none
    /// Whether the fields or the prices have changed since the last conversion.
    private(set) var isPending = true
    /// Whether a key has just changed the fields; then its time follows.
    private var isEdited = false
    private var editTime: WallTime?
    /// Whether the daemon was gone at the last look.
    private var isAway = false

    /// The price of the symbol in its own currency, to be converted to the one that prices are shown in.
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
        // An old result below a new amount would be taken for its own.
        outcome = .none
    }
}

// MARK: When it converts

extension WatchConverter {
    /// Sets when the last change was made by a key; nothing if the key changed nothing.
    mutating func setEditTime(_ now: WallTime) {
        if isEdited { editTime = now }
        isEdited = false
    }

    /// Until the fields are to be converted; nil if the result is that of the fields.
    func remaining(at now: WallTime) -> Milliseconds? {
        guard isPending else { return nil }
        guard let editTime else { return .zero }
        let passed = now.since(editTime)
        // A clock that was set back must not stop the converter.
        guard passed >= .zero else { return .zero }
        return max(.zero, Milliseconds(Self.delay.count - passed.count))
    }

    mutating func finish(_ outcome: Outcome) {
        (self.outcome, isPending) = (outcome, false)
    }

    /// After a look at the daemon: with new prices, or once it is back, the fields are converted again. While it is
    /// gone, there is no result.
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
    /// Converts what is in the fields of the converter.
    func convert(_ state: inout WatchState) {
        guard let converter = state.converter else { return }
        do throws(ClientError) {
            let request = try ConversionRequest(
                amount: converter.text(.amount), from: converter.text(.from), to: converter.targets, context)
            state.converter?.finish(.results(try request.replies(try connected(), context)))
        } catch {
            // What is wrong with the fields is no reason to connect again.
            guard !error.leavesConnection else {
                state.converter?.finish(.fault(error.message))
                return
            }
            lose(error, &state.data)
            state.converter?.update(isNew: false, fault: state.data.fault)
        }
    }

    /// Keeps the results, also of fields that have just been typed.
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
