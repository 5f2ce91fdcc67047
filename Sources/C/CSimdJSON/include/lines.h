#pragma once

#include <stddef.h>
#include <stdint.h>

#include "csimdjson.h"

// A strict reader of texts with a JSON object on each line, by one index of many lines. No function throws.

#ifdef __cplusplus
extern "C" {
#endif

enum {
    // `true`; other kinds are those of a ticker's fields.
    CSIMDJSON_KIND_TRUE = 3,
    CSIMDJSON_LINE_MEMBERS = 8,
};

typedef struct csimdjson_lines csimdjson_lines;

// Returns null if out of memory.
csimdjson_lines *csimdjson_lines_new(void);
void csimdjson_lines_free(csimdjson_lines *lines);

// A member of each object that is to be read, numbered from 0: 1 to 16 bytes, of which none needs an escape. False when
// there are CSIMDJSON_LINE_MEMBERS already.
int csimdjson_lines_add_member(csimdjson_lines *lines, const char *name, size_t length);

// Copies and indexes a text of complete lines. False when one of them has no index, because of an unclosed string, a
// control character or invalid UTF-8 in it: give each line alone then. Also false when out of memory.
int csimdjson_lines_begin(csimdjson_lines *lines, const uint8_t *text, size_t length);

// Reads the line from `start` to `end` of the text; each line is after the one before. Sets one value for each member,
// of the kind NONE if it is missing; of duplicate keys, the first counts. False when the line is not one object.
int csimdjson_lines_read(csimdjson_lines *lines, size_t start, size_t end, csimdjson_slice *values);

#ifdef __cplusplus
}
#endif
