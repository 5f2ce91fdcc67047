// Shared by the parts of the watch.
#pragma once
#include "CBlocking.h"

// Whether the calls of this thread are looked at.
extern __thread bool blocking_is_watched;

void blocking_report(const char *function, const char *why);
// The event loop looks at its descriptors.
void blocking_begin_turn(void);
void blocking_note_sync(void);
void blocking_note_written(int64_t count);
void blocking_note_read(int64_t count);
// Whether a call with these flags of `send` may wait for the other end.
bool blocking_can_wait(int descriptor, int flags);
