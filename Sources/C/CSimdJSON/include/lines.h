#pragma once

#include <stddef.h>
#include <stdint.h>

#include "csimdjson.h"

// A strict reader of texts with a JSON object on each line. It indexes many lines together. No function throws.

#ifdef __cplusplus
extern "C" {
#endif

enum {
    // The value `true`, in addition to the kinds in csimdjson.h.
    CSIMDJSON_KIND_TRUE = 3,
    CSIMDJSON_LINE_MEMBERS = 8,
};

typedef struct csimdjson_lines csimdjson_lines;

// Returns null if out of memory.
csimdjson_lines *csimdjson_lines_new(void);
void csimdjson_lines_free(csimdjson_lines *lines);

// Adds a member to read from each object. Members are numbered from 0. The name must have 1 to 16 bytes and need no
// escapes. Returns false if the length is invalid or there are already CSIMDJSON_LINE_MEMBERS members.
int csimdjson_lines_add_member(csimdjson_lines *lines, const char *name, size_t length);

// Copies and indexes a text of complete lines. Returns false if any line cannot be indexed because of an unclosed
// string, a control character or invalid UTF-8; the caller should then pass each line separately. Also returns false
// if out of memory.
int csimdjson_lines_begin(csimdjson_lines *lines, const uint8_t *text, size_t length);

// Reads the line from `start` to `end` of the text. Lines must be read in order. Sets a value for each member. Its kind
// is NONE if the member is missing or has no usable value. If a key occurs more than once, its first usable value
// counts. Returns false if the line is not exactly one object.
int csimdjson_lines_read(csimdjson_lines *lines, size_t start, size_t end, csimdjson_slice *values);

#ifdef __cplusplus
}
#endif
