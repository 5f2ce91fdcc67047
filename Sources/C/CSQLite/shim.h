// SQLite, and wrappers of its variadic functions and of macros that are pointers, which Swift cannot use.
#pragma once
#include <sqlite3.h>

// Turns one of the SQLITE_DBCONFIG_* switches on (1) or off (0).
static inline int alertd_sqlite_switch(sqlite3 *database, int which, int isOn) {
    return sqlite3_db_config(database, which, isOn, (int *)0);
}

// SQLite copies the bytes. No bytes mean an empty text, not NULL.
static inline int alertd_sqlite_bind_text(sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
    const char *text = count == 0 ? "" : (const char *)bytes;
    return sqlite3_bind_text64(statement, place, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// SQLite copies the bytes. No bytes mean an empty blob, not NULL.
static inline int alertd_sqlite_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
    return count == 0 ? sqlite3_bind_zeroblob(statement, place, 0)
                      : sqlite3_bind_blob64(statement, place, bytes, count, SQLITE_TRANSIENT);
}

// Makes the log at least that long, with zeros, which are no frame of it, and waits for the disk; after a failure, such
// as a full disk, it is as long as before. The caller holds the lock on writing. Returns SQLITE_OK or an error.
static inline int alertd_sqlite_extend_log(sqlite3 *database, sqlite3_int64 length) {
    static const char zeros[65536];
    sqlite3_file *log = (sqlite3_file *)0;
    sqlite3_int64 size = 0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    if (code != SQLITE_OK || !log || !log->pMethods) return code;
    code = log->pMethods->xFileSize(log, &size);
    if (code != SQLITE_OK || size >= length) return code;
    for (sqlite3_int64 place = size; code == SQLITE_OK && place < length;) {
        int count = length - place < (sqlite3_int64)sizeof zeros ? (int)(length - place) : (int)sizeof zeros;
        code = log->pMethods->xWrite(log, zeros, count, place);
        place += count;
    }
    if (code == SQLITE_OK) code = log->pMethods->xSync(log, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY);
    if (code != SQLITE_OK) log->pMethods->xTruncate(log, size);
    return code;
}

// How long the log is, and at what length it is checkpointed, in pages. No pages: nothing was committed yet.
typedef struct {
    int limit;
    int pages;
} alertd_sqlite_log;

static inline int alertd_sqlite_note_commit(void *context, sqlite3 *database, const char *name, int pages) {
    alertd_sqlite_log *log = (alertd_sqlite_log *)context;
    log->pages = pages;
    if (pages >= log->limit) sqlite3_wal_checkpoint_v2(database, name, SQLITE_CHECKPOINT_PASSIVE, (int *)0, (int *)0);
    return SQLITE_OK;
}

// Notes the length of the log after each commit, and checkpoints it, in place of SQLite's own checkpoints.
static inline void alertd_sqlite_follow_log(sqlite3 *database, alertd_sqlite_log *log) {
    sqlite3_wal_hook(database, alertd_sqlite_note_commit, log);
}

// Reads a byte of each block of a part of the log, so that it is in memory. What is not there, or cannot be read, is
// left out.
static inline void alertd_sqlite_read_log(sqlite3 *database, sqlite3_int64 place, sqlite3_int64 end) {
    char byte;
    sqlite3_file *log = (sqlite3_file *)0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    if (code != SQLITE_OK || !log || !log->pMethods) return;
    for (place -= place % 4096; place < end && code == SQLITE_OK; place += 4096)
        code = log->pMethods->xRead(log, &byte, 1, place);
}
