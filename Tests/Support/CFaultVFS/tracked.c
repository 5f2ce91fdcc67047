// Which bytes a power failure may lose.
#include "internal.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct tracked *tracked_find(struct fault_vfs *vfs, const char *path) {
    for (struct tracked *file = vfs->files; file; file = file->next)
        if (strcmp(file->path, path) == 0)
            return file;
    struct tracked *file = calloc(1, sizeof *file);
    if (!file)
        return NULL;
    file->path = strdup(path);
    file->next = vfs->files;
    vfs->files = file;
    return file;
}

void tracked_clear(struct tracked *file) {
    for (int64_t index = 0; index < file->count; index++) {
        free(file->changes[index].bytes);
        free(file->changes[index].old);
    }
    file->count = 0;
}

void tracked_free_all(struct fault_vfs *vfs) {
    while (vfs->files) {
        struct tracked *file = vfs->files;
        vfs->files = file->next;
        tracked_clear(file);
        free(file->changes);
        free(file->path);
        free(file);
    }
}

static struct change *appended(struct tracked *file) {
    if (file->count == file->capacity) {
        int64_t capacity = file->capacity ? file->capacity * 2 : 64;
        struct change *changes = realloc(file->changes, (size_t)capacity * sizeof *changes);
        if (!changes)
            return NULL;
        file->changes = changes;
        file->capacity = capacity;
    }
    struct change *change = &file->changes[file->count++];
    memset(change, 0, sizeof *change);
    return change;
}

int tracked_note(struct tracked *file, sqlite3_file *real, const void *bytes, int64_t count, int64_t offset) {
    struct change *change = appended(file);
    if (!change)
        return SQLITE_NOMEM;
    change->offset = offset;
    sqlite3_int64 size = 0;
    if (real->pMethods->xFileSize(real, &size) != SQLITE_OK)
        return SQLITE_IOERR_FSTAT;
    change->old_size = size;
    int64_t end = bytes ? offset + count : change->old_size;
    if (end > change->old_size)
        end = change->old_size;
    change->old_count = end > offset ? end - offset : 0;
    change->old = malloc((size_t)change->old_count + 1);
    if (bytes) {
        change->bytes = malloc((size_t)count);
        change->count = count;
        if (change->bytes)
            memcpy(change->bytes, bytes, (size_t)count);
    }
    if (!change->old || (bytes && !change->bytes))
        return SQLITE_NOMEM;
    if (change->old_count == 0)
        return SQLITE_OK;
    return real->pMethods->xRead(real, change->old, (int)change->old_count, offset);
}

static uint64_t next_random(uint64_t *state) {
    *state += 0x9E3779B97F4A7C15u;
    uint64_t mixed = *state;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
}

static int undo(int descriptor, const struct change *change) {
    if (change->old_count && pwrite(descriptor, change->old, (size_t)change->old_count, change->offset) < 0)
        return -1;
    return ftruncate(descriptor, change->old_size);
}

// Repeats a change, completely or up to some sector.
static int redo(int descriptor, const struct change *change, int is_torn, uint64_t random) {
    if (!change->bytes)
        return is_torn ? 0 : ftruncate(descriptor, change->offset);
    size_t count = (size_t)change->count;
    if (is_torn)
        count = (size_t)(random % (uint64_t)(change->count / 512 + 1)) * 512;
    return count && pwrite(descriptor, change->bytes, count, change->offset) < 0 ? -1 : 0;
}

static int settle(const struct tracked *file, uint64_t *state) {
    int descriptor = open(file->path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0)
        return 0;
    int result = 0;
    for (int64_t index = file->count; index > 0 && result == 0; index--)
        result = undo(descriptor, &file->changes[index - 1]);
    // Keeps nothing, a quarter, half, three quarters or everything.
    uint64_t quarters = next_random(state) % 5;
    for (int64_t index = 0; index < file->count && result == 0; index++) {
        uint64_t random = next_random(state);
        if (random % 4 < quarters)
            result = redo(descriptor, &file->changes[index], quarters < 4 && random % 16 == 0, random >> 8);
    }
    close(descriptor);
    return result;
}

int fault_vfs_settle(fault_vfs *vfs, uint64_t seed) {
    int result = 0;
    for (struct tracked *file = vfs->files; file; file = file->next)
        if (file->count && settle(file, &seed) != 0)
            result = -1;
    tracked_free_all(vfs);
    fault_vfs_arm(vfs, 0, 0, FAULT_DEVICE, 0);
    return result;
}
