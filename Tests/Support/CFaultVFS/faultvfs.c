// The VFS itself: counts calls, fails some, and passes the others on.
#include "internal.h"
#include <stdlib.h>
#include <string.h>

#define REAL(vfs) (((struct fault_vfs *)(vfs)->pAppData)->real)

int fault_check(struct fault_vfs *vfs, unsigned operation, int io_code) {
    const unsigned reading = FAULT_READ | FAULT_ACCESS | FAULT_LOCK | FAULT_SHARED_LOCK | FAULT_SHARED_MEMORY;
    if (vfs->is_off)
        return operation & reading ? SQLITE_OK : io_code;
    if (!(operation & vfs->operations))
        return SQLITE_OK;
    vfs->calls++;
    int is_hit = vfs->calls == vfs->which || (vfs->is_lasting && vfs->which && vfs->calls > vfs->which);
    if (!is_hit)
        return SQLITE_OK;
    vfs->has_hit = 1;
    vfs->is_off = vfs->kind == FAULT_POWER || vfs->kind == FAULT_KILL;
    if (vfs->on_hit)
        vfs->on_hit(vfs->context);
    return vfs->kind == FAULT_NO_ROOM || vfs->kind == FAULT_HALF ? SQLITE_FULL : io_code;
}

void fault_vfs_arm(fault_vfs *vfs, unsigned operations, int64_t which, int kind, int is_lasting) {
    vfs->operations = operations;
    vfs->which = which;
    vfs->kind = kind;
    vfs->is_lasting = is_lasting;
    vfs->calls = 0;
    vfs->has_hit = 0;
    vfs->is_off = 0;
}

void fault_vfs_on_hit(fault_vfs *vfs, void (*action)(void *context), void *context) {
    vfs->on_hit = action;
    vfs->context = context;
}

void fault_vfs_switch_off(fault_vfs *vfs) { vfs->is_off = 1; }

int64_t fault_vfs_syncs(const fault_vfs *vfs) { return vfs->syncs; }

int64_t fault_vfs_calls(const fault_vfs *vfs) { return vfs->calls; }

int fault_vfs_has_hit(const fault_vfs *vfs) { return vfs->has_hit; }

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *out) {
    struct fault_file *file = (struct fault_file *)base;
    memset(file, 0, sizeof *file);
    file->vfs = vfs->pAppData;
    file->real = (sqlite3_file *)(file + 1);
    int code = fault_check(file->vfs, FAULT_OPEN, SQLITE_CANTOPEN);
    if (code != SQLITE_OK && file->vfs->kind == FAULT_READ_ONLY && !file->vfs->is_off) {
        flags = (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) | SQLITE_OPEN_READONLY;
        code = SQLITE_OK;
    }
    if (code == SQLITE_OK)
        code = REAL(vfs)->xOpen(REAL(vfs), name, file->real, flags, out);
    if (code != SQLITE_OK)
        return code;
    if (name && !(flags & SQLITE_OPEN_DELETEONCLOSE))
        file->tracked = tracked_find(file->vfs, name);
    file->base.pMethods = &fault_methods;
    return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync) {
    struct fault_vfs *own = vfs->pAppData;
    int code = fault_check(own, FAULT_DELETE, SQLITE_IOERR_DELETE);
    if (code != SQLITE_OK)
        return code;
    tracked_clear(tracked_find(own, name));
    return own->real->xDelete(own->real, name, 0 & sync);
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *out) {
    int code = fault_check(vfs->pAppData, FAULT_ACCESS, SQLITE_IOERR_ACCESS);
    return code != SQLITE_OK ? code : REAL(vfs)->xAccess(REAL(vfs), name, flags, out);
}

static int vfs_full_pathname(sqlite3_vfs *vfs, const char *name, int count, char *out) {
    return REAL(vfs)->xFullPathname(REAL(vfs), name, count, out);
}

static int vfs_randomness(sqlite3_vfs *vfs, int count, char *out) {
    return REAL(vfs)->xRandomness(REAL(vfs), count, out);
}

// Waiting for a lock would be a bug of the test, and slow it down.
static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) {
    (void)vfs;
    return microseconds;
}

static int vfs_current_time(sqlite3_vfs *vfs, double *out) { return REAL(vfs)->xCurrentTime(REAL(vfs), out); }

static int vfs_current_time64(sqlite3_vfs *vfs, sqlite3_int64 *out) {
    return REAL(vfs)->xCurrentTimeInt64(REAL(vfs), out);
}

static int vfs_last_error(sqlite3_vfs *vfs, int count, char *out) {
    (void)vfs;
    if (count > 0)
        out[0] = 0;
    return 0;
}

fault_vfs *fault_vfs_make(const char *name) {
    if (sqlite3_initialize() != SQLITE_OK)
        return NULL;
    struct fault_vfs *vfs = calloc(1, sizeof *vfs);
    if (!vfs)
        return NULL;
    vfs->real = sqlite3_vfs_find(NULL);
    vfs->vfs = (sqlite3_vfs){
        .iVersion = 2,
        .szOsFile = (int)sizeof(struct fault_file) + vfs->real->szOsFile,
        .mxPathname = vfs->real->mxPathname,
        .zName = name,
        .pAppData = vfs,
        .xOpen = vfs_open,
        .xDelete = vfs_delete,
        .xAccess = vfs_access,
        .xFullPathname = vfs_full_pathname,
        .xRandomness = vfs_randomness,
        .xSleep = vfs_sleep,
        .xCurrentTime = vfs_current_time,
        .xGetLastError = vfs_last_error,
        .xCurrentTimeInt64 = vfs_current_time64,
    };
    if (sqlite3_vfs_register(&vfs->vfs, 0) == SQLITE_OK)
        return vfs;
    free(vfs);
    return NULL;
}

void fault_vfs_free(fault_vfs *vfs) {
    sqlite3_vfs_unregister(&vfs->vfs);
    tracked_free_all(vfs);
    free(vfs);
}
