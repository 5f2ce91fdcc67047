/// What the error `NoSuchSymbol` carries: the exchange does not list the symbol.
package struct NoSuchSymbol: Codable, Equatable, Sendable {
    package var symbol: String
    /// The listed symbol that was probably meant.
    package var suggestion: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case symbol, suggestion
    }

    package init(symbol: String, suggestion: String? = nil) {
        self.symbol = symbol
        self.suggestion = suggestion
    }
}

/// What the error `ReloadFailed` carries: nothing was changed.
package struct ReloadFailed: Codable, Equatable, Sendable {
    /// What is wrong with the settings, each as `file:line:column: what, and what to do`.
    package var findings: [String]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case findings
    }

    package init(findings: [String]) {
        self.findings = findings
    }
}

/// What the error `PollTooSoon` carries: the exchange was asked too short a time ago.
package struct PollTooSoon: Codable, Equatable, Sendable {
    package var retryAfterMilliseconds: Int

    enum CodingKeys: String, CodingKey, CaseIterable {
        case retryAfterMilliseconds = "retry_after_ms"
    }

    package init(retryAfterMilliseconds: Int) {
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }
}

/// What the error `Unconvertible` carries: there is no way from one currency to the other.
package struct Unconvertible: Codable, Equatable, Sendable {
    /// Why, and what to do.
    package var message: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case message
    }

    package init(message: String) {
        self.message = message
    }
}

/// What the error `StoreFailed` carries: the state file cannot be read or copied now.
package struct StoreFailed: Codable, Equatable, Sendable {
    /// Why, and what to do.
    package var message: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case message
    }

    package init(message: String) {
        self.message = message
    }
}
