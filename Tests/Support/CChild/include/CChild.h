#ifndef CCHILD_H
#define CCHILD_H

#include <sys/types.h>

/// Starts a program, which is searched for in PATH, with nothing but the three descriptors as its standard streams.
///
/// It leads a process group of its own, with no signal blocked and each at its default action.
///
/// @param streams descriptors for its standard input, output and error; -1 is /dev/null.
/// @return 0, or an error number.
int child_start(pid_t *pid, char *const arguments[], char *const environment[], const int streams[3]);

/// Makes a pipe that no other program inherits.
///
/// @return 0, or -1 with errno set.
int child_pipe(int ends[2]);

#endif
