#pragma once

#include <stddef.h>
#include <stdint.h>

#include "csimdjson.h"

// A strict reader of tickers in any JSON document. JSON pointers (RFC 6901) locate the elements in the document and
// the fields in an element. A bad element does not affect the others. No function throws.

#ifdef __cplusplus
extern "C" {
#endif

// The fields of a record: the fields of a ticker in order, then one more.
enum {
    CSIMDJSON_RECORD_FIELDS = 12,
    // The maximum number of bytes between two slashes of a pointer.
    CSIMDJSON_POINTER_STEP = 48,
};

typedef struct {
    csimdjson_ticker ticker;
    csimdjson_slice detail;
    // The name of the element if the elements are the members of an object.
    csimdjson_slice key;
} csimdjson_record;

typedef struct csimdjson_records csimdjson_records;

// Returns null if out of memory.
csimdjson_records *csimdjson_records_new(void);
void csimdjson_records_free(csimdjson_records *records);

// Sets the list: the pointer locates an array, or an object whose members are the elements. Without a call, the whole
// document is the only element. Returns false if the pointer is invalid, or if out of memory.
int csimdjson_records_set_list(csimdjson_records *records, const char *pointer, size_t length, int is_object);

// Sets the pointer of a field within each element; "" is the element itself. Returns false if the pointer or the
// number of the field is invalid, if another field has the same pointer, or if out of memory.
int csimdjson_records_add_field(csimdjson_records *records, size_t field, const char *pointer, size_t length);

// Indexes a document and moves to its list. The buffer must stay valid until the last call to `next`, and
// CSIMDJSON_PADDING zero bytes must follow it. Escapes in strings are decoded in place as they are read. Returns
// CSIMDJSON_ARRAY for a list of either kind, CSIMDJSON_OBJECT for a document without the list.
int csimdjson_records_begin(csimdjson_records *records, uint8_t *buffer, size_t length);

// Reads the next element. Missing fields have the kind NONE. Of duplicate keys, the first counts. The end is reported
// only if the rest of the document is valid.
int csimdjson_records_next(csimdjson_records *records, csimdjson_record *record);

// Returns the text of the last element, for a message about a bad one.
csimdjson_slice csimdjson_records_element(const csimdjson_records *records);

// The reference for benchmarks: reads all strings and locates all numbers of a document with simdjson's on-demand API.
// Returns the sum of their lengths, or -1 on failure.
int64_t csimdjson_read_everything(const uint8_t *buffer, size_t length);

#ifdef __cplusplus
}
#endif
