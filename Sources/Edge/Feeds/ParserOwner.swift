/// The owner of a parser of the C library. Frees the parser when it is released.
///
/// This is a class and not a noncopyable struct, because in optimized builds the deinit of such a struct does not run
/// when it is consumed as `some TickerDecoding & ~Copyable`.
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
