// Writing structured entries to the journal and reading them, through libsystemd. The library is loaded by the first
// call: it needs as much time as all others of alertctl together, and few commands read the journal.
//
// Each function is that of libsystemd without the prefix; without the library it returns -ELIBACC.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

struct sd_journal;

int alertd_journal_sendv(const struct iovec *fields, int count);

int alertd_journal_open(struct sd_journal **journal, int flags);
int alertd_journal_set_data_threshold(struct sd_journal *journal, size_t bytes);
int alertd_journal_add_match(struct sd_journal *journal, const void *text, size_t count);
int alertd_journal_add_disjunction(struct sd_journal *journal);
int alertd_journal_seek_realtime_usec(struct sd_journal *journal, uint64_t microseconds);
int alertd_journal_seek_tail(struct sd_journal *journal);
int alertd_journal_next(struct sd_journal *journal);
int alertd_journal_previous(struct sd_journal *journal);
int alertd_journal_wait(struct sd_journal *journal, uint64_t microseconds);
int alertd_journal_get_realtime_usec(struct sd_journal *journal, uint64_t *microseconds);
int alertd_journal_get_data(struct sd_journal *journal, const char *field, const void **data, size_t *count);
int alertd_journal_get_cursor(struct sd_journal *journal, char **cursor);
void alertd_journal_close(struct sd_journal *journal);

/// Writes the identifier of this machine, 32 hexadecimal digits and a NUL.
int alertd_machine_id(char text[33]);

/// SD_JOURNAL_LOCAL_ONLY
extern const int alertd_journal_local_only;
