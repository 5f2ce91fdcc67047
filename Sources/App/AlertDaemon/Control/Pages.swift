internal import Varlink

/// Where a page of a list starts.
///
/// - Throws: `InvalidParameter` for a negative place.
func pageStart(_ next: Int?) throws(VarlinkError) -> Int {
    guard let next else { return 0 }
    guard next >= 0 else { throw .invalidParameter("next") }
    return next
}
