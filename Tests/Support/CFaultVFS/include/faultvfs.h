// An SQLite VFS that passes everything on to the system's own, and fails where a test wants it to.
#pragma once
#include <stdint.h>

// What SQLite asks of a VFS; bits, so that a fault may be for several of them.
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
    // There is no room; the call does nothing.
    FAULT_NO_ROOM,
    // A write puts down the first half of its bytes, then there is no room.
    FAULT_HALF,
    // Power is lost: this call and all later ones that change something do nothing.
    FAULT_POWER,
};

typedef struct fault_vfs fault_vfs;

// Registers a VFS of that name, which has to outlive it, over the default one; NULL when that fails.
fault_vfs *fault_vfs_make(const char *name);

// Unregisters it; no file may be open in it.
void fault_vfs_free(fault_vfs *vfs);

// Lets the `which`th call (1 is the next) of those operations fail, and all that follow if it is lasting; 0 lets none
// fail. Counting begins anew.
void fault_vfs_arm(fault_vfs *vfs, unsigned operations, int64_t which, int kind, int is_lasting);

// How many calls of the operations of the last `arm` there were since.
int64_t fault_vfs_calls(const fault_vfs *vfs);

// Whether a call has failed since the last `arm`.
int fault_vfs_has_hit(const fault_vfs *vfs);

// After a loss of power, with all files closed: what was synced stays, of what was written later some is kept, some
// dropped and some torn, as the seed says. Then the power is back. Returns 0, or -1 when a file could not be written.
int fault_vfs_settle(fault_vfs *vfs, uint64_t seed);
