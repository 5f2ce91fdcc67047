#pragma once

#include <stddef.h>
#include <stdint.h>

// simdjson's index of a document's structure, and over it a strict reader of any JSON document into a flat list of
// nodes. No function throws.

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CSIMDJSON_NODE_NULL = 0,
    CSIMDJSON_NODE_FALSE,
    CSIMDJSON_NODE_TRUE,
    CSIMDJSON_NODE_NUMBER,  // the range is the text of the number
    CSIMDJSON_NODE_STRING,  // the range is what stands between the quotes
    CSIMDJSON_NODE_ARRAY,   // the range includes both brackets; the elements follow
    CSIMDJSON_NODE_OBJECT,  // the range includes both braces; each key, a string, and its value follow
};

// A value or a key. Nodes are in the order of the text, so that what is inside a container follows it.
typedef struct {
    uint32_t offset;
    uint32_t length;
    // The position in the list of the first node that is not inside this one.
    uint32_t end;
    uint8_t kind;
    // Whether a string contains a backslash.
    uint8_t has_escapes;
} csimdjson_node;

enum {
    CSIMDJSON_DOCUMENT_GOOD = 0,
    CSIMDJSON_DOCUMENT_MALFORMED,     // not JSON
    CSIMDJSON_DOCUMENT_INVALID_TEXT,  // not UTF-8, a bare control character or half of a surrogate pair in a string
    CSIMDJSON_DOCUMENT_TOO_DEEP,
    CSIMDJSON_DOCUMENT_MEMORY,
};

typedef struct csimdjson_document csimdjson_document;

// Returns null when there is no memory.
csimdjson_document *csimdjson_document_new(void);
void csimdjson_document_free(csimdjson_document *document);

// Indexes a document of fewer than 2^31 bytes; the buffer must live and stay unchanged until it has been read.
// `most_nodes` becomes an upper bound of its nodes.
int csimdjson_document_index(
    csimdjson_document *document, const uint8_t *buffer, size_t length, size_t *most_nodes);

// Reads the indexed document into `nodes`, which has room for `most_nodes`; containers nest at most `depth` deep.
int csimdjson_document_read(csimdjson_document *document, uint32_t depth, csimdjson_node *nodes, size_t *count);

#ifdef __cplusplus
}
#endif
