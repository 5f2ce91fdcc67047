extension String: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        self = try json.string()
    }

    package func write(to writer: inout JSONWriter) {
        writer.string(self)
    }
}

extension Int: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        self = try json.integer()
    }

    package func write(to writer: inout JSONWriter) {
        writer.integer(Int64(self))
    }
}

extension Bool: JSONReadable, JSONWritable {
    package init(json: JSONValue) throws(JSONError) {
        self = try json.bool()
    }

    package func write(to writer: inout JSONWriter) {
        writer.bool(self)
    }
}

extension Array: JSONReadable where Element: JSONReadable {
    package init(json: JSONValue) throws(JSONError) {
        self = try json.array()
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for element in self { element.write(to: &writer) }
        writer.endArray()
    }
}
