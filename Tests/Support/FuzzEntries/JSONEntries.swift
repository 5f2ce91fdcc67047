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

    /// Messages as they come on the control socket, each ended by a zero byte: calls, and parameters and replies of
    /// every type of the interface.
    package static let varlink = FuzzEntry(name: "varlink", seeds: messages) { bytes in
        let messages = bytes.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
        return messages.map(readMessage).contains(true)
    }
}

/// Whether it is a call, or a value of some type.
private func readMessage(_ message: [UInt8]) -> Bool {
    let call = CallHead(message, limit: 64 << 10)
    guard let document = try? JSONDocument(message, limit: 64 << 10) else {
        precondition(call == nil, "a call that is not JSON")
        return false
    }
    var isRead = call != nil
    for value in [document.root, call?.parameters].compactMap(\.self) {
        for reader in ControlReader.all {
            guard let written = try? reader.rewrite(value) else { continue }
            isRead = true
            let again = try? JSONDocument(written, limit: 1 << 20)
            precondition(again.map { try? reader.rewrite($0.root) } == written, "\(reader.name): not what was written")
        }
    }
    return isRead
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
        #"{"method":"x","parameters":{"columns":[{"symbol":"btcinr","times_ms":[1,2],"prices":["1","2"]}],"#
            + #""last":true}}"#,
        #"{"rule":"a","symbol":"btcinr","bound":"max","state":"firing","severity":"fatal","disarmed":false,"#
            + #""limit":"1"}"#,
        #"{"number":1,"time":"t","kind":"fired","severity":"info","notified":true,"text":"x","#
            + #""previous":{"time":"t","price":"1"},"details":{"pending_ms":1}}"#,
    ].map { Array($0.utf8) }
}
