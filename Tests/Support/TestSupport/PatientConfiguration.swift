package import HTTP
import Time

extension HTTPConfiguration {
    /// Other tests may have the loop for longer than the usual limits.
    package static let patient = {
        var configuration = HTTPConfiguration(userAgent: "alertd/test")
        (configuration.connectLimit, configuration.totalLimit) = (.seconds(600), .seconds(600))
        return configuration
    }()
}
