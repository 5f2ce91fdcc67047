// An SQLite VFS that passes everything on to the default one, and fails where a test asks for it.
#pragma once
#include <stdint.h>

// The operations of a VFS, as bits, so that a fault can cover several.
enum {
    FAULT_OPEN = 1 << 0,
    FAULT_READ = 1 << 1,
    FAULT_WRITE = 1 << 2,
    FAULT_SYNC = 1 << 3,
    FAULT_TRUNCATE = 1 << 4,
    FAULT_DELETE = 1 << 5,
    FAULT_LOCK = 1 << 6,
    FAULT_SHARED_MEMORY = 1 << 7,
    FAULT_SHARED_LOCK = 1 << 8,
    FAULT_ACCESS = 1 << 9,
};

// How a call fails.
enum {
    // The device fails; the call does nothing.
    FAULT_DEVICE,
    // There is no space; the call does nothing.
    FAULT_NO_ROOM,
    // A write stores the first half of its bytes, then there is no space.
    FAULT_HALF,
    // The file system is mounted read-only: nothing is written, and files are opened for reading only.
    FAULT_READ_ONLY,
    // Power is lost: this call and all later changes do nothing.
    FAULT_POWER,
    // The process is killed: this call and all later changes do nothing; what was written stays.
    FAULT_KILL,
};

typedef struct fault_vfs fault_vfs;

// Registers a VFS on top of the default one, under a name that must outlive it; NULL on failure.
fault_vfs *fault_vfs_make(const char *name);

// Unregisters it. No file may be open in it.
void fault_vfs_free(fault_vfs *vfs);

// Makes the `which`th call (1 is the next) of these operations fail, and all later ones if it is lasting; 0 lets none
// fail. Counting starts over.
void fault_vfs_arm(fault_vfs *vfs, unsigned operations, int64_t which, int kind, int is_lasting);

// Has `action` called, with `context`, when a call fails; NULL for nothing.
void fault_vfs_on_hit(fault_vfs *vfs, void (*action)(void *context), void *context);

// Lets all later changes do nothing, until the next `arm`.
void fault_vfs_switch_off(fault_vfs *vfs);

// The number of calls that synced a file since the VFS was made.
int64_t fault_vfs_syncs(const fault_vfs *vfs);

// The number of calls of these operations since the last `arm`.
int64_t fault_vfs_calls(const fault_vfs *vfs);

// Whether a call has failed since the last `arm`.
int fault_vfs_has_hit(const fault_vfs *vfs);

// After a power failure, with all files closed: synced data is kept; of later writes, the seed decides which are kept,
// dropped or torn. Then the power is back. Returns 0, or -1 if a file could not be written.
int fault_vfs_settle(fault_vfs *vfs, uint64_t seed);
