// Shared by the parts of the VFS.
#pragma once
#include "faultvfs.h"
#include <sqlite3.h>

// A write or truncation that was not synced yet, with the data that it replaced.
struct change {
    int64_t offset;
    // The new bytes; a truncation has none.
    unsigned char *bytes;
    int64_t count;
    // The previous bytes, up to the former end of the file.
    unsigned char *old;
    int64_t old_count;
    int64_t old_size;
};

// A file by its path, with the changes since its last sync.
struct tracked {
    struct tracked *next;
    char *path;
    struct change *changes;
    int64_t count;
    int64_t capacity;
};

struct fault_vfs {
    sqlite3_vfs vfs;
    sqlite3_vfs *real;
    struct tracked *files;
    unsigned operations;
    int64_t which;
    int64_t calls;
    int kind;
    int is_lasting;
    int has_hit;
    int is_off;
    int64_t syncs;
    void (*on_hit)(void *context);
    void *context;
};

struct fault_file {
    sqlite3_file base;
    struct fault_vfs *vfs;
    // NULL for files that are deleted on close.
    struct tracked *tracked;
    // The system's own file follows.
    sqlite3_file *real;
};

// Counts a call; the result code to fail with, or SQLITE_OK.
int fault_check(struct fault_vfs *vfs, unsigned operation, int io_code);

struct tracked *tracked_find(struct fault_vfs *vfs, const char *path);
void tracked_clear(struct tracked *file);
void tracked_free_all(struct fault_vfs *vfs);
// Notes a change that is about to be made; `bytes` is NULL for a truncation to `offset`.
int tracked_note(struct tracked *file, sqlite3_file *real, const void *bytes, int64_t count, int64_t offset);

extern const sqlite3_io_methods fault_methods;
