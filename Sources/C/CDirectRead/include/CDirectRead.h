#pragma once

#include <stddef.h>
#include <stdint.h>

/// Opens a file for direct reads, past the page cache, but no link; -1 when that is impossible.
int cdirectread_open_file(const char *path);

/// Makes a context for one read at a time; 0 when the kernel gives none.
unsigned long cdirectread_open(void);

/// Begins to read a part of such a file, without waiting for it. The block must be aligned as the disk requires, and
/// exist until the read has ended. Returns whether the read was begun.
int cdirectread_begin(unsigned long context, int descriptor, void *block, size_t size, int64_t place);

/// Whether the read has ended, well or not. Says so once; then the next one can begin.
int cdirectread_end(unsigned long context);

/// Waits until the read has ended, and closes the context.
void cdirectread_close(unsigned long context);
