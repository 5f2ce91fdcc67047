#pragma once

#include <stddef.h>
#include <stdint.h>

// A strict reader that turns any JSON document into a flat list of nodes, using simdjson's index of its structure. No
// function throws.

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CSIMDJSON_NODE_NULL = 0,
    CSIMDJSON_NODE_FALSE,
    CSIMDJSON_NODE_TRUE,
    CSIMDJSON_NODE_NUMBER,  // the range is the text of the number
    CSIMDJSON_NODE_STRING,  // the range is the text between the quotes
    CSIMDJSON_NODE_ARRAY,   // the range includes both brackets; the elements follow
    CSIMDJSON_NODE_OBJECT,  // the range includes both braces; the keys, which are strings, and values follow
};

// A value or a key. Nodes are in the order of the text, so that the contents of a container follow it.
typedef struct {
    uint32_t offset;
    uint32_t length;
    // The index of the first node after the contents of this one.
    uint32_t end;
    uint8_t kind;
    // True if a string contains a backslash.
    uint8_t has_escapes;
} csimdjson_node;

enum {
    CSIMDJSON_DOCUMENT_GOOD = 0,
    CSIMDJSON_DOCUMENT_MALFORMED,     // not JSON
    CSIMDJSON_DOCUMENT_INVALID_TEXT,  // invalid UTF-8, a control character or half of a surrogate pair in a string
    CSIMDJSON_DOCUMENT_TOO_DEEP,
    CSIMDJSON_DOCUMENT_MEMORY,
};

typedef struct csimdjson_document csimdjson_document;

// Returns null if out of memory.
csimdjson_document *csimdjson_document_new(void);
void csimdjson_document_free(csimdjson_document *document);

// Indexes a document of fewer than 2^31 bytes. The buffer must stay valid and unchanged until the document has been
// read. Sets `most_nodes` to an upper bound of the number of nodes.
int csimdjson_document_index(
    csimdjson_document *document, const uint8_t *buffer, size_t length, size_t *most_nodes);

// Reads the indexed document into `nodes`, which must have room for `most_nodes`. Containers may be nested at most
// `depth` deep.
int csimdjson_document_read(csimdjson_document *document, uint32_t depth, csimdjson_node *nodes, size_t *count);

#ifdef __cplusplus
}
#endif
