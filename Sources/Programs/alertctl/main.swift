internal import AlertClient
internal import Glibc

// All output is already written. Skip the exit handlers of libraries, which would take a thirtieth of the time of a
// short command.
_exit(runClient(Array(CommandLine.arguments.dropFirst()), in: .system))
