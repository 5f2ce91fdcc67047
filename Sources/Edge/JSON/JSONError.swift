/// The reason why a JSON text cannot be read, or why a value in it is not as expected.
package struct JSONError: Error, Equatable, Sendable {
    package enum Problem: Equatable, Sendable {
        /// Not JSON.
        case malformed
        /// Not UTF-8, or a string with a bare control character or half of a surrogate pair.
        case invalidText
        /// Nested deeper than ``JSONDocument/maximumDepth``.
        case tooDeep
        case tooLong(limit: Int)
        case outOfMemory
        /// A member that must be present is absent.
        case missing
        /// The value does not have the expected type.
        case mismatch(expected: String)
    }

    package let problem: Problem
    /// The path from the root to the value: `alerts[3].limit`; empty for the root and the whole text.
    package private(set) var path: String

    /// Creates an error whose path is empty for the value itself. Each container adds its part with ``inside(_:)``.
    package init(_ problem: Problem, path: String = "") {
        self.problem = problem
        self.path = path
    }

    /// Returns the same error as seen from the object that has the value as a member.
    package func inside(_ key: some StringProtocol) -> JSONError {
        let isEnd = path.isEmpty || path.utf8.first == UInt8(ascii: "[")
        return JSONError(problem, path: isEnd ? "\(key)\(path)" : "\(key).\(path)")
    }

    /// Returns the same error as seen from the array that has the value as an element.
    package func inside(element index: Int) -> JSONError {
        let isEnd = path.isEmpty || path.utf8.first == UInt8(ascii: "[")
        return JSONError(problem, path: isEnd ? "[\(index)]\(path)" : "[\(index)].\(path)")
    }
}

extension JSONError: CustomStringConvertible {
    package var description: String {
        let place = path.isEmpty ? "the value" : path
        return switch problem {
        case .malformed: "not JSON"
        case .invalidText: "not valid UTF-8"
        case .tooDeep: "nested deeper than \(JSONDocument.maximumDepth) levels"
        case .tooLong(let limit): "longer than \(limit) bytes"
        case .outOfMemory: "not enough memory"
        case .missing: "\(place) is missing"
        case .mismatch(let expected): "\(place) is not \(expected)"
        }
    }
}
