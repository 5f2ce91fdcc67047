#pragma once

#include <stddef.h>
#include <stdint.h>

#include "csimdjson.h"

// A strict reader of tickers in any JSON document: where the elements are in it, and where the fields are in an
// element, is given as JSON pointers (RFC 6901). A bad element does not affect the others. No function throws.

#ifdef __cplusplus
extern "C" {
#endif

// The fields of a record: those of a ticker in their order, then one more.
enum {
    CSIMDJSON_RECORD_FIELDS = 12,
    // The most bytes between two slashes of a pointer.
    CSIMDJSON_POINTER_STEP = 48,
};

typedef struct {
    csimdjson_ticker ticker;
    csimdjson_slice detail;
    // The name of the element, when the elements are the members of an object.
    csimdjson_slice key;
} csimdjson_record;

typedef struct csimdjson_records csimdjson_records;

// Returns null if out of memory.
csimdjson_records *csimdjson_records_new(void);
void csimdjson_records_free(csimdjson_records *records);

// The elements are those of the array at this place of the document, or the members of the object. Without a call the
// whole document is the one element. False when it is not a pointer or there is no memory.
int csimdjson_records_set_list(csimdjson_records *records, const char *pointer, size_t length, int is_object);

// The field with this number is at this place of each element; "" is the element itself. False when it is not a
// pointer, there is no such field or no memory.
int csimdjson_records_add_field(csimdjson_records *records, size_t field, const char *pointer, size_t length);

// Indexes a document and moves to its list. The buffer must live until the last call of `next`; CSIMDJSON_PADDING bytes
// follow it, and escapes in strings are replaced in it as they are read. CSIMDJSON_ARRAY stands for a list of either
// kind, CSIMDJSON_OBJECT for a document without the list.
int csimdjson_records_begin(csimdjson_records *records, uint8_t *buffer, size_t length);

// The next element. Missing fields have the kind NONE; of duplicate keys, the first counts. The end is only reported
// when the rest of the document is valid.
int csimdjson_records_next(csimdjson_records *records, csimdjson_record *record);

// The text of the element that was last passed, for a message about a bad one.
csimdjson_slice csimdjson_records_element(const csimdjson_records *records);

// The reference for benchmarks: simdjson's on-demand API reads every string and finds every number of a document.
// Returns the sum of their lengths, or -1.
int64_t csimdjson_read_everything(const uint8_t *buffer, size_t length);

#ifdef __cplusplus
}
#endif
