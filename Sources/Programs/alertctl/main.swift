internal import AlertClient
internal import CMemory.ShortLived
internal import Glibc

// A tenth of the time of a long list would go to a heap that grows in small steps.
cmemory_grow_in_large_steps()
// All output is written by now; what libraries do at an exit would take a thirtieth of the time of a short command.
_exit(runClient(Array(CommandLine.arguments.dropFirst()), in: .system))
