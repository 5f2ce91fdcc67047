import HTTP
import Time

extension HTTPConfiguration {
    /// Other tests may have the loop for longer than the usual limits.
    static let patient = {
        var configuration = HTTPConfiguration(userAgent: "test")
        (configuration.connectLimit, configuration.totalLimit) = (.seconds(300), .seconds(300))
        return configuration
    }()
}
