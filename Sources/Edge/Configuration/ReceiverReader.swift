internal import Receivers

/// A reader of the `[[receiver]]` tables.
enum ReceiverReader {
    /// Returns the valid receivers, which have unique names, and reports everything that is wrong as findings.
    static func receivers(
        in entries: [TOMLEntry], _ context: FileContext, files: any SettingsFiles
    ) -> [Located<Receiver>] {
        guard let entry = entries.first(where: { $0.key == SettingsReference.Table.receiver.rawValue }) else {
            return []
        }
        guard case .array(let elements) = entry.node.value else {
            context.wrongShape(entry, of: .receiver)
            return []
        }
        var receivers: [Located<Receiver>] = []
        for element in elements.prefix(Receiver.limit) {
            guard case .table(let content) = element.value else {
                context.error(
                    element.position, "a receiver must be a table, but is \(element.value.kindName)",
                    advice: "write [[receiver]] on a line of its own, followed by its keys")
                continue
            }
            let table = ReceiverTable(TableReader(content, of: .receiver, in: context), begin: element.position)
            table.checkZone(in: files)
            guard let receiver = table.receiver() else { continue }
            if let other = receivers.first(where: { $0.value.name == receiver.name }) {
                context.error(
                    element.position,
                    "a receiver named \"\(receiver.name)\" already exists at \(context.name(of: other.position))",
                    advice: "rename one of them")
            } else {
                receivers.append(Located(value: receiver, position: element.position))
            }
        }
        if elements.count > Receiver.limit {
            context.error(
                elements[Receiver.limit].position, "more than \(Receiver.limit) receivers",
                advice: "send to one webhook, and forward from there")
        }
        return receivers
    }
}
