#include "cjournal.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>

// The major version is part of the interface: a library with another one could have other functions.
static void *function(const char *name) {
    static _Atomic(void *) library;
    void *loaded = atomic_load(&library);
    if (!loaded) {
        loaded = dlopen("libsystemd.so.0", RTLD_LAZY | RTLD_LOCAL);
        // Two threads may both load it: the second only counts one more use.
        atomic_store(&library, loaded);
    }
    return loaded ? dlsym(loaded, name) : NULL;
}

// Calls the function of libsystemd of that name. It is looked up once.
#define CALL(name, ...)                                                                                               \
    static _Atomic(void *) found;                                                                                     \
    void *known = atomic_load(&found);                                                                                \
    if (!known) {                                                                                                     \
        known = function(#name);                                                                                      \
        if (!known)                                                                                                   \
            return -ELIBACC;                                                                                          \
        atomic_store(&found, known);                                                                                  \
    }                                                                                                                 \
    return ((__typeof__(&name))known)(__VA_ARGS__)

const int alertd_journal_local_only = SD_JOURNAL_LOCAL_ONLY;

int alertd_journal_sendv(const struct iovec *fields, int count) {
    CALL(sd_journal_sendv, fields, count);
}

int alertd_journal_open(struct sd_journal **journal, int flags) {
    CALL(sd_journal_open, journal, flags);
}

int alertd_journal_set_data_threshold(struct sd_journal *journal, size_t bytes) {
    CALL(sd_journal_set_data_threshold, journal, bytes);
}

int alertd_journal_add_match(struct sd_journal *journal, const void *text, size_t count) {
    CALL(sd_journal_add_match, journal, text, count);
}

int alertd_journal_add_disjunction(struct sd_journal *journal) {
    CALL(sd_journal_add_disjunction, journal);
}

int alertd_journal_seek_realtime_usec(struct sd_journal *journal, uint64_t microseconds) {
    CALL(sd_journal_seek_realtime_usec, journal, microseconds);
}

int alertd_journal_seek_tail(struct sd_journal *journal) {
    CALL(sd_journal_seek_tail, journal);
}

int alertd_journal_next(struct sd_journal *journal) {
    CALL(sd_journal_next, journal);
}

int alertd_journal_previous(struct sd_journal *journal) {
    CALL(sd_journal_previous, journal);
}

int alertd_journal_wait(struct sd_journal *journal, uint64_t microseconds) {
    CALL(sd_journal_wait, journal, microseconds);
}

int alertd_journal_get_realtime_usec(struct sd_journal *journal, uint64_t *microseconds) {
    CALL(sd_journal_get_realtime_usec, journal, microseconds);
}

int alertd_journal_get_data(struct sd_journal *journal, const char *field, const void **data, size_t *count) {
    CALL(sd_journal_get_data, journal, field, data, count);
}

int alertd_journal_get_cursor(struct sd_journal *journal, char **cursor) {
    CALL(sd_journal_get_cursor, journal, cursor);
}

void alertd_journal_close(struct sd_journal *journal) {
    __typeof__(&sd_journal_close) call = (__typeof__(&sd_journal_close))function("sd_journal_close");
    if (call)
        call(journal);
}

static int machine(sd_id128_t *id) {
    CALL(sd_id128_get_machine, id);
}

int alertd_machine_id(char text[33]) {
    sd_id128_t id;
    int status = machine(&id);
    if (status < 0)
        return status;
    for (int i = 0; i < 16; i++) {
        text[2 * i] = "0123456789abcdef"[id.bytes[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[id.bytes[i] & 15];
    }
    text[32] = 0;
    return 0;
}
