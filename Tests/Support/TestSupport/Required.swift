/// Returns the value, or throws an error that fails the test when it is nil.
package func required<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw MissingValue() }
    return value
}

struct MissingValue: Error {}
