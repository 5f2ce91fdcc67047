internal import Varlink

/// Returns the start of a page of a list.
///
/// - Throws: `InvalidParameter` for a negative number.
func pageStart(_ next: Int?) throws(VarlinkError) -> Int {
    guard let next else { return 0 }
    guard next >= 0 else { throw .invalidParameter("next") }
    return next
}
