internal import Glibc

/// Opens standard input, output and error on `/dev/null` if the process was started without them.
///
/// Otherwise the next file or socket would get such a number, and text for standard output or standard error would
/// end up in it. Call it before anything else is opened.
package func openStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
        // The call returns the lowest free number, which is this one.
        _ = unsafe open("/dev/null", O_RDWR)
    }
}
