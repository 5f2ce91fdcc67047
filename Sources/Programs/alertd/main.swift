internal import AlertDaemon
internal import CMemory.LongLived
internal import Glibc

// Otherwise a poll would return the memory of its response and get it back, which took a tenth of its time.
cmemory_keep_what_recurs()
exit(runDaemon(Array(CommandLine.arguments.dropFirst())))
