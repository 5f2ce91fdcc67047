internal import Control

/// Writes events one at a time, in the form the user asked for.
struct EventPrinter {
    let context: Context
    let filter: EventFilter

    func show(_ event: EventRecord) {
        guard filter.accepts(event) else { return }
        context.show(event: event)
    }

    func tell(missed: Int) {
        context.note("alertctl: missed \(counted(missed, "event"))")
    }
}

extension Context {
    /// One line for the event, at once.
    fileprivate func show(event: EventRecord) {
        switch format {
        case .json: environment.write(jsonLine(of: event))
        case .plain, .csv: environment.write(eventRow(event).map { plain($0.value) }.joined(separator: "\t") + "\n")
        case .human: environment.write(line(for: event) + "\n")
        }
    }

    /// `2026-11-21 07:14:03  #12  FIRED     btc band  btcinr at …`
    private func line(for event: EventRecord) -> String {
        let word = eventWord(event)
        let padding = String(repeating: " ", count: max(0, "resolved".count - word.text.count))
        let kind = formatter.styled(formatter.text(Cell(.text(word.text))), word.emphasis)
        let rule = event.rule.map { formatter.text(Cell(.text($0))) + "  " } ?? ""
        let text = formatter.text(Cell(.text(eventText(event))))
        return "\(formatter.stamp(event.time))  #\(event.number)  \(kind)\(padding)  \(rule)\(text)"
    }
}
