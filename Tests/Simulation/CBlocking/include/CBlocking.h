#ifndef CBLOCKING_H
#define CBLOCKING_H

#include <stdbool.h>
#include <stdint.h>

/// What was done at most between two looks of the event loop at its descriptors.
struct blocking_work {
    int64_t syncs;
    int64_t written;
    int64_t read;
};

/// Watches what the calling thread calls, from now on, and forgets what was found.
///
/// Most functions of the C library that can wait have a second writing here, which takes the place of the first in the
/// whole program and in the libraries that it loads. It looks at its arguments, and calls the first.
void blocking_watch(void);

/// Leaves calls of the calling thread out until it is called with `false`: those of simulated clients.
void blocking_pause(bool is_paused);

/// The first call that could have waited, or NULL.
const char *blocking_found(void);

/// The greatest amounts of work in the life of the process.
struct blocking_work blocking_most(void);

/// The greatest amounts of work since the watch began.
struct blocking_work blocking_most_since_watch(void);

/// Ends the process with status 1 and this line if 20 s of processor time pass between two looks of the event loop.
void blocking_limit(const char *line);

#endif
