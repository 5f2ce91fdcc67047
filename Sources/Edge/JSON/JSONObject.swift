internal import CSimdJSON.Documents

/// The members of an object, read by name. Members that are not read are skipped.
///
/// Reading them in the order in which they are written takes one pass.
package struct JSONObject {
    private let value: JSONValue
    /// The position of the key that is compared first.
    private var cursor: Int

    init(_ value: JSONValue) {
        self.value = value
        cursor = value.position + 1
    }

    /// Returns the value of a member; nil if it is absent or null.
    package mutating func member(_ key: StaticString) -> JSONValue? {
        find(key, from: cursor, to: value.end) ?? find(key, from: value.position + 1, to: cursor)
    }

    /// Reads a member that must be present.
    package mutating func read<Member: JSONReadable>(_ key: StaticString) throws(JSONError) -> Member {
        guard let member: Member = try readIfPresent(key) else {
            throw JSONError(.missing, path: "\(key)")
        }
        return member
    }

    /// Reads a member; nil if it is absent or null.
    package mutating func readIfPresent<Member: JSONReadable>(_ key: StaticString) throws(JSONError) -> Member? {
        guard let member = member(key) else { return nil }
        do throws(JSONError) {
            return try Member(json: member)
        } catch {
            throw error.inside("\(key)")
        }
    }

    /// Reads a string that must be present. Most members are strings, so they have a function that is not generic:
    /// generic code would look up the type each time.
    package mutating func read(_ key: StaticString) throws(JSONError) -> String {
        guard let text: String = try readIfPresent(key) else { throw JSONError(.missing, path: "\(key)") }
        return text
    }

    /// Reads a string; nil if it is absent or null.
    package mutating func readIfPresent(_ key: StaticString) throws(JSONError) -> String? {
        guard let member = member(key) else { return nil }
        do throws(JSONError) {
            return try member.string()
        } catch {
            throw error.inside("\(key)")
        }
    }

    /// The names and values of all members, in the order of the text.
    package var members: [(key: String, value: JSONValue)] {
        var members: [(key: String, value: JSONValue)] = []
        var place = value.position + 1
        while place < value.end {
            let key = JSONValue(document: value.document, position: place)
            let member = JSONValue(document: value.document, position: place + 1)
            members.append((key.decodedString, member))
            place = member.end
        }
        return members
    }

    private mutating func find(_ key: StaticString, from start: Int, to end: Int) -> JSONValue? {
        let document = value.document
        var place = start
        while place < end {
            let next = Int(document.nodes[place + 1].end)
            if document.hasString(key, at: place) {
                cursor = next
                let member = JSONValue(document: document, position: place + 1)
                return member.isNull ? nil : member
            }
            place = next
        }
        return nil
    }
}
