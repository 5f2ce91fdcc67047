/// An owner of a parser of the C library, which it frees.
///
/// It is a class because in optimized builds, the deinit of a noncopyable struct does not run when the struct is
/// consumed as `some TickerDecoding & ~Copyable`.
@safe
final class ParserOwner {
    let pointer: OpaquePointer
    private let free: (OpaquePointer?) -> Void

    /// Adopts a parser. Nil if there is none, for example because memory ran out.
    init?(_ pointer: OpaquePointer?, free: @escaping (OpaquePointer?) -> Void) {
        guard let pointer = unsafe pointer else { return nil }
        unsafe self.pointer = pointer
        unsafe self.free = free
    }

    deinit {
        unsafe free(pointer)
    }
}
