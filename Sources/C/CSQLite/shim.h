// SQLite, and wrappers for variadic functions and pointer macros, which Swift cannot use.
#pragma once
#include <sqlite3.h>

// Sets one of the SQLITE_DBCONFIG_* switches to on (1) or off (0).
static inline int alertd_sqlite_switch(sqlite3 *database, int which, int isOn) {
    return sqlite3_db_config(database, which, isOn, (int *)0);
}

// Binds a text, which SQLite copies. A count of 0 binds an empty text, not NULL.
static inline int alertd_sqlite_bind_text(sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
    const char *text = count == 0 ? "" : (const char *)bytes;
    return sqlite3_bind_text64(statement, place, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// Binds a blob, which SQLite copies. A count of 0 binds an empty blob, not NULL.
static inline int alertd_sqlite_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
    return count == 0 ? sqlite3_bind_zeroblob(statement, place, 0)
                      : sqlite3_bind_blob64(statement, place, bytes, count, SQLITE_TRANSIENT);
}
