// The operations on an open file.
#include "internal.h"
#include <stddef.h>

#define OWN(base) ((struct fault_file *)(base))
#define REAL(base) (OWN(base)->real)

static int file_close(sqlite3_file *base) { return REAL(base)->pMethods->xClose(REAL(base)); }

static int file_read(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
    int code = fault_check(OWN(base)->vfs, FAULT_READ, SQLITE_IOERR_READ);
    return code != SQLITE_OK ? code : REAL(base)->pMethods->xRead(REAL(base), bytes, count, offset);
}

static int file_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
    struct fault_file *file = OWN(base);
    int was_on = !file->vfs->is_off;
    int code = fault_check(file->vfs, FAULT_WRITE, SQLITE_IOERR_WRITE);
    // Like any write that was not synced, the one during which power is lost may be partial.
    int is_last = was_on && file->vfs->is_off && file->vfs->kind == FAULT_POWER;
    int is_half = code != SQLITE_OK && file->vfs->kind == FAULT_HALF;
    if (code != SQLITE_OK && !is_last && !is_half)
        return code;
    int written = is_half ? count / 2 : count;
    if (file->tracked) {
        int noted = tracked_note(file->tracked, file->real, bytes, written, offset);
        if (noted != SQLITE_OK)
            return noted;
    }
    int result = file->real->pMethods->xWrite(file->real, bytes, written, offset);
    return code != SQLITE_OK ? code : result;
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size) {
    struct fault_file *file = OWN(base);
    int code = fault_check(file->vfs, FAULT_TRUNCATE, SQLITE_IOERR_TRUNCATE);
    if (code == SQLITE_OK && file->tracked)
        code = tracked_note(file->tracked, file->real, NULL, 0, size);
    return code != SQLITE_OK ? code : file->real->pMethods->xTruncate(file->real, size);
}

// The disk is not synced, as power failures are simulated.
static int file_sync(sqlite3_file *base, int flags) {
    (void)flags;
    struct fault_file *file = OWN(base);
    int code = fault_check(file->vfs, FAULT_SYNC, SQLITE_IOERR_FSYNC);
    if (code == SQLITE_OK) {
        file->vfs->syncs++;
        if (file->tracked)
            tracked_clear(file->tracked);
    }
    return code;
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size) {
    return REAL(base)->pMethods->xFileSize(REAL(base), size);
}

static int file_lock(sqlite3_file *base, int level) {
    int code = fault_check(OWN(base)->vfs, FAULT_LOCK, SQLITE_IOERR_LOCK);
    return code != SQLITE_OK ? code : REAL(base)->pMethods->xLock(REAL(base), level);
}

static int file_unlock(sqlite3_file *base, int level) { return REAL(base)->pMethods->xUnlock(REAL(base), level); }

static int file_reserved(sqlite3_file *base, int *out) {
    return REAL(base)->pMethods->xCheckReservedLock(REAL(base), out);
}

static int file_control(sqlite3_file *base, int operation, void *argument) {
    return REAL(base)->pMethods->xFileControl(REAL(base), operation, argument);
}

static int file_sector(sqlite3_file *base) { return REAL(base)->pMethods->xSectorSize(REAL(base)); }

static int file_device(sqlite3_file *base) { return REAL(base)->pMethods->xDeviceCharacteristics(REAL(base)); }

static int file_shm_map(sqlite3_file *base, int page, int size, int extend, void volatile **out) {
    int code = fault_check(OWN(base)->vfs, FAULT_SHARED_MEMORY, SQLITE_IOERR_SHMMAP);
    return code != SQLITE_OK ? code : REAL(base)->pMethods->xShmMap(REAL(base), page, size, extend, out);
}

static int file_shm_lock(sqlite3_file *base, int offset, int count, int flags) {
    // Releasing a lock never fails.
    int code = SQLITE_OK;
    if (flags & SQLITE_SHM_LOCK)
        code = fault_check(OWN(base)->vfs, FAULT_SHARED_LOCK, SQLITE_IOERR_SHMLOCK);
    return code != SQLITE_OK ? code : REAL(base)->pMethods->xShmLock(REAL(base), offset, count, flags);
}

static void file_shm_barrier(sqlite3_file *base) { REAL(base)->pMethods->xShmBarrier(REAL(base)); }

static int file_shm_unmap(sqlite3_file *base, int is_deleted) {
    return REAL(base)->pMethods->xShmUnmap(REAL(base), is_deleted);
}

const sqlite3_io_methods fault_methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_reserved,
    .xFileControl = file_control,
    .xSectorSize = file_sector,
    .xDeviceCharacteristics = file_device,
    .xShmMap = file_shm_map,
    .xShmLock = file_shm_lock,
    .xShmBarrier = file_shm_barrier,
    .xShmUnmap = file_shm_unmap,
};
