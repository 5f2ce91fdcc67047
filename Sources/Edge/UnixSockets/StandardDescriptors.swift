internal import Glibc

/// Opens standard input, output and error on nothing where the process was started without them.
///
/// Otherwise the next file or socket would get such a number, and what is written to standard output or standard error
/// would end up in it. To be called before anything else is opened.
package func openStandardDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
        // It gets the lowest free number, which is this one.
        _ = unsafe open("/dev/null", O_RDWR)
    }
}
