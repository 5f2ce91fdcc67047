#pragma once

#include <stddef.h>
#include <stdint.h>

// Types that the readers of tickers share: slices of text, the fields of a ticker, and the results of reading a
// document.

#ifdef __cplusplus
extern "C" {
#endif

// The number of zero bytes that must follow every buffer given to a reader.
enum { CSIMDJSON_PADDING = 64 };

enum {
    CSIMDJSON_KIND_NONE = 0,    // absent, null, a string with an escape that was not decoded, or another type
    CSIMDJSON_KIND_STRING = 1,  // a string; the slice is the text between the quotes
    CSIMDJSON_KIND_NUMBER = 2,  // a number; the slice is its text
};

// A slice of the text in the buffer.
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

enum {
    CSIMDJSON_ARRAY = 0,
    CSIMDJSON_EMPTY_ARRAY,
    CSIMDJSON_OBJECT,
    CSIMDJSON_EMPTY,     // only white space
    CSIMDJSON_NOT_JSON,  // begins with neither '[' nor '{'
    CSIMDJSON_LOST,      // the structure of the document cannot be determined
    CSIMDJSON_MEMORY,    // out of memory, or a document of 2 GiB or more
};

enum {
    CSIMDJSON_NEXT_GOOD = 0,
    CSIMDJSON_NEXT_BAD,  // a malformed element; later elements can still be read
    CSIMDJSON_NEXT_END,
    CSIMDJSON_NEXT_LOST,
};

#ifdef __cplusplus
}
#endif
