internal import JSON
internal import Varlink

extension FuzzEntry {
    /// Any JSON text: what is read can be walked through, written and read again.
    package static let json = FuzzEntry(name: "json", seeds: documents) { bytes in
        guard let document = try? JSONDocument(bytes, limit: 1 << 20) else { return false }
        precondition(String(validating: bytes, as: UTF8.self) != nil, "accepted, but not UTF-8")
        let written = rewritten(document.root)
        guard let again = try? JSONDocument(written, limit: 16 << 20) else { preconditionFailure("unreadable output") }
        precondition(rewritten(again.root) == written, "not what was written")
        return true
    }

    /// Messages as they come on the control socket, each ended by a zero byte: calls with the parameters of their
    /// method.
    package static let varlink = FuzzEntry(name: "varlink", seeds: messages) { bytes in
        let messages = bytes.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
        return messages.map(readCall).contains(true)
    }

    /// A value of a type of the control interface: the first byte chooses the type, the rest is JSON. One type per
    /// input, as trying all of them takes a hundred times as long.
    package static let controlValues = FuzzEntry(name: "control-values", seeds: values) { bytes in
        guard let choice = bytes.first, let document = try? JSONDocument(Array(bytes.dropFirst()), limit: 64 << 10)
        else { return false }
        return rereads(document.root, ControlReader.all[Int(choice) % ControlReader.all.count])
    }
}

/// Whether it is a call.
private func readCall(_ message: [UInt8]) -> Bool {
    guard let call = CallHead(message, limit: 64 << 10) else { return false }
    let method = call.method.split(separator: ".").last ?? ""
    guard let reader = ControlReader.byName["\(method)Parameters"] else { return true }
    _ = rereads(call.parameters, reader)
    return true
}

/// Whether the value is of the type; then what is written of it must be read as the same.
private func rereads(_ value: JSONValue, _ reader: ControlReader) -> Bool {
    guard let written = try? reader.rewrite(value) else { return false }
    let again = try? JSONDocument(written, limit: 1 << 20)
    precondition(again.map { try? reader.rewrite($0.root) } == written, "\(reader.name): not what was written")
    return true
}

/// The value as our own writer writes it.
private func rewritten(_ value: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    write(value, to: &writer)
    return writer.bytes
}

private func write(_ value: JSONValue, to writer: inout JSONWriter) {
    if let object = try? value.object() {
        writer.beginObject()
        for member in object.members {
            writer.key(member.key)
            write(member.value, to: &writer)
        }
        writer.endObject()
    } else if let elements: [AnyElement] = try? value.array() {
        writer.beginArray()
        for element in elements { write(element.value, to: &writer) }
        writer.endArray()
    } else if let text = try? value.string() {
        writer.string(text)
    } else if let flag = try? value.bool() {
        writer.bool(flag)
    } else if let number = try? value.numberText() {
        precondition(Array(number.utf8) == value.text, "a number with another text")
        if let whole = try? value.integer() { precondition(Int(number) == whole, "another number") }
        writer.raw(value.text)
    } else {
        precondition(value.isNull && value.text == Array("null".utf8), "a value of no type")
        writer.null()
    }
}

private struct AnyElement: JSONReadable {
    let value: JSONValue

    init(json: JSONValue) {
        value = json
    }
}

@Sendable
private func documents() -> [[UInt8]] {
    [
        "null", " [] ", "{}", "[true,false,null,0,-1.5e+3,\"\"]", #"{"a":{"b":[{"c":[[]]}]},"a":1,"\u0061":2}"#,
        #"["\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00 é😀"]"#, "[9223372036854775807,-9223372036854775808,1e400]",
        String(repeating: "[", count: 32) + String(repeating: "]", count: 32),
    ].map { Array($0.utf8) }
}

@Sendable
private func messages() -> [[UInt8]] {
    [
        #"{"method":"org.alertd.Control.Status"}"#,
        #"{"method":"org.alertd.Control.MonitorEvents","parameters":{"after":3},"more":true}"# + "\0"
            + #"{"method":"org.alertd.Control.ListTickers","parameters":{"match":"*inr","quote":null},"oneway":false}"#,
        #"{"method":"org.alertd.Control.ImportPrices","parameters":{"columns":[{"symbol":"btcinr","times_ms":[1,2],"#
            + #""prices":["1","2"]}],"last":true}}"#,
    ].map { Array($0.utf8) }
}

@Sendable
private func values() -> [[UInt8]] {
    let texts = [
        "AlertStatus": #"{"rule":"a","source":"s","symbol":"btcinr","bound":"max","state":"firing","severity":"fatal","#
            + #""disarmed":false,"limit":"1"}"#,
        "EventRecord": #"{"number":1,"time":"t","kind":"fired","severity":"info","notified":true,"text":"x","#
            + #""previous":{"time":"t","price":"1"},"details":{"pending_ms":1}}"#,
        "PriceColumn": #"{"symbol":"btcinr","times_ms":[1,2],"prices":["1","2"]}"#,
    ]
    let known = texts.sorted { $0.key < $1.key }.compactMap { name, text in
        ControlReader.all.firstIndex { $0.name == name }.map { [UInt8($0)] + Array(text.utf8) }
    }
    return known + ControlReader.all.indices.map { [UInt8($0)] + Array("{}".utf8) }
}
