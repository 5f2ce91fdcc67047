internal import AlertClient
internal import Glibc

exit(runClient(Array(CommandLine.arguments.dropFirst()), in: .system))
