internal import AlertDaemon
internal import Glibc

exit(runDaemon(Array(CommandLine.arguments.dropFirst())))
