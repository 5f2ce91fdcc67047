/// The value, or an error that fails the test.
package func required<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw MissingValue() }
    return value
}

struct MissingValue: Error {}
