internal import Glibc

/// Starts a thread, which ends with its body.
///
/// Foundation's `Thread` says nothing when the system has no memory for a thread, so a test that waits for it waits
/// forever. This retries for a minute, and then traps.
package func startThread(_ body: @escaping @Sendable () -> Void) {
    final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    let argument = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
    var thread = pthread_t()
    var result = EAGAIN
    for _ in 0..<6_000 where result == EAGAIN {
        result = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument)
        if result == EAGAIN { usleep(10_000) }
    }
    if result == 0 { result = pthread_detach(thread) }
    precondition(result == 0, "no thread could be started: error \(result)")
}
