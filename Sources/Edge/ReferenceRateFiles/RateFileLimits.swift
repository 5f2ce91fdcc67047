/// Limits on a file of reference rates; a file that exceeds one is refused.
///
/// The defaults accept the whole history of the European Central Bank for decades. Its XML has about 40 bytes per rate:
/// 7,000 dates of 31 currencies are 9 MB, growing by a third of a megabyte per year. In memory a rate takes 16 bytes;
/// the worst file within the limits, 20,000 dates of 256 currencies in CSV, would take 82 MB.
public struct RateFileLimits: Hashable, Sendable {
    /// The maximum size of the file, in bytes: 16 MiB.
    public var byteCount = 16 << 20
    /// The maximum number of dates: 20,000 are 78 years of working days.
    public var dateCount = 20_000
    /// The maximum number of currencies per date: 256 are more than the world has.
    public var currencyCount = 256
    /// The maximum length of a name or a value, in bytes; the longest at present has 46.
    public var textLength = 256
    /// The maximum nesting of XML elements; present files have 4.
    public var depth = 16
    /// The maximum number of attributes of an XML element; present files have 2.
    public var attributeCount = 16

    /// Creates the default limits.
    public init() {}

    /// Limits for a file of one date, which is about 1.7 KB: 64 KiB.
    public static var daily: RateFileLimits {
        var limits = RateFileLimits()
        limits.byteCount = 64 << 10
        return limits
    }
}
