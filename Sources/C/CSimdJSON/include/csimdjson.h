#pragma once

#include <stddef.h>
#include <stdint.h>

// simdjson's index of the structure of a document, and a strict reader of one shape on top of it: an array of tickers,
// element by element, where a bad element does not affect the others. What the document before had as well is not read
// again. No function throws. Only `begin` allocates, and only if a document is longer than all previous ones or
// contains invalid bytes.

#ifdef __cplusplus
extern "C" {
#endif

typedef struct csimdjson_parser csimdjson_parser;

// The zero bytes that must follow every buffer given to this interface.
enum { CSIMDJSON_PADDING = 64 };

enum {
    CSIMDJSON_KIND_NONE = 0,    // absent, null, a string with an escape, or another type
    CSIMDJSON_KIND_STRING = 1,  // a string; the slice is the text between the quotes
    CSIMDJSON_KIND_NUMBER = 2,  // a number; the slice is its text
};

// A piece of the buffer's text.
typedef struct {
    uint32_t offset;
    uint32_t length;
    uint32_t kind;
} csimdjson_slice;

typedef struct {
    csimdjson_slice symbol;
    csimdjson_slice base_asset;
    csimdjson_slice quote_asset;
    csimdjson_slice open_price;
    csimdjson_slice low_price;
    csimdjson_slice high_price;
    csimdjson_slice last_price;
    csimdjson_slice volume;
    csimdjson_slice bid_price;
    csimdjson_slice ask_price;
    csimdjson_slice at;
} csimdjson_ticker;

// A name of 1 to 16 letters a to z and digits, padded with zero bytes; the first one is in the most significant byte.
typedef struct {
    uint64_t words[2];
    uint8_t is_read;
} csimdjson_name;

// The number mantissa / 10^scale of at most 16 digits, with as many decimal places as its text has.
typedef struct {
    int64_t mantissa;
    uint8_t scale;
    uint8_t is_read;
} csimdjson_decimal;

// What the fields of a ticker mean, where that was read; of any other field there is only the text.
typedef struct {
    csimdjson_name symbol;
    csimdjson_name base_asset;
    csimdjson_name quote_asset;
    csimdjson_decimal open_price;
    csimdjson_decimal low_price;
    csimdjson_decimal high_price;
    csimdjson_decimal last_price;
    csimdjson_decimal volume;
    csimdjson_decimal bid_price;
    csimdjson_decimal ask_price;
    csimdjson_decimal at;
} csimdjson_values;

enum {
    CSIMDJSON_ARRAY = 0,
    CSIMDJSON_EMPTY_ARRAY,
    CSIMDJSON_OBJECT,
    CSIMDJSON_EMPTY,     // only white space
    CSIMDJSON_NOT_JSON,  // starts with neither '[' nor '{'
    CSIMDJSON_LOST,      // the structure of the document cannot be determined
    CSIMDJSON_MEMORY,    // out of memory, or a document of 2 GiB or more
};

enum {
    CSIMDJSON_NEXT_GOOD = 0,
    CSIMDJSON_NEXT_BAD,  // an element that is not a well-formed object; later ones are read as usual
    CSIMDJSON_NEXT_END,
    CSIMDJSON_NEXT_LOST,
    CSIMDJSON_NEXT_REPEATED,  // good, and but for its time the element that has its number in the former document
};

// Returns null if out of memory.
csimdjson_parser *csimdjson_new(void);
void csimdjson_free(csimdjson_parser *parser);

// Begins a document. The buffer must live until the last call of `next` or `error`; CSIMDJSON_PADDING bytes follow it.
// `former` is the unchanged buffer of the document that was begun before this one, or null. Its elements must have been
// read to the end, and none may have been bad.
int csimdjson_begin(csimdjson_parser *parser, const uint8_t *buffer, size_t length, const uint8_t *former);

// The next element of a CSIMDJSON_ARRAY. Missing fields have the kind NONE; of duplicate keys, the first counts.
// The values are set for a GOOD element; for a REPEATED one only `at` and its value are.
int csimdjson_next(csimdjson_parser *parser, csimdjson_ticker *ticker, csimdjson_values *values);

// Passes over the elements that follow a REPEATED one, as far as they are repeated and have the same digits as their
// time. Returns how many they are: 0 where the former document is not repeated throughout.
uint32_t csimdjson_pass_repeated(csimdjson_parser *parser);

// The fields `code` and `message` of a CSIMDJSON_OBJECT; false when it is not well-formed. The message may hold
// escapes.
int csimdjson_error(csimdjson_parser *parser, csimdjson_slice *code, csimdjson_slice *message);

// The reference for benchmarks: simdjson's on-demand API reads all eleven fields of each element in the documented
// order, text as text and the time as an integer. Returns the sum of their lengths, or -1.
int64_t csimdjson_read_all_fields(csimdjson_parser *parser, const uint8_t *buffer, size_t length);

#ifdef __cplusplus
}
#endif
