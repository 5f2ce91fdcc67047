/// How much a file of reference rates may hold; what is beyond is refused.
///
/// The defaults let the whole history of the European Central Bank pass for decades. Its XML has some 40 bytes a rate:
/// 7,000 dates of 31 currencies are 9 MB, and it grows by a third of a megabyte a year. In memory a rate takes
/// 16 bytes; the worst file within the limits, 20,000 dates of 256 currencies in CSV, would take 82 MB.
public struct RateFileLimits: Hashable, Sendable {
    /// The most bytes of the file: 16 MiB.
    public var byteCount = 16 << 20
    /// The most dates: 20,000 are 78 years of working days.
    public var dateCount = 20_000
    /// The most currencies of a date: 256 are more than the world has.
    public var currencyCount = 256
    /// The most bytes of a name or a value; the longest of today has 46.
    public var textLength = 256
    /// The most XML elements within each other; the files of today have 4.
    public var depth = 16
    /// The most attributes of an XML element; the files of today have 2.
    public var attributeCount = 16

    /// Makes the default limits.
    public init() {}

    /// Limits for a file of one date, which has some 1.7 KB: 64 KiB.
    public static var daily: RateFileLimits {
        var limits = RateFileLimits()
        limits.byteCount = 64 << 10
        return limits
    }
}
