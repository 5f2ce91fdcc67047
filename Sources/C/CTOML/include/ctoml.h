#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a node of a TOML document is.
typedef enum ctoml_kind {
    CTOML_TABLE,
    CTOML_ARRAY,
    CTOML_STRING,
    CTOML_INTEGER,
    CTOML_FLOAT,
    CTOML_BOOLEAN,
    CTOML_DATE_TIME
} ctoml_kind;

/// A place in the document; both count from 1, the column in Unicode scalars. 0 where there is none.
typedef struct ctoml_position {
    uint32_t line;
    uint32_t column;
} ctoml_position;

/// Bytes that belong to the document and live as long as it does; not ended by a NUL.
typedef struct ctoml_text {
    const char *bytes;
    size_t count;
} ctoml_text;

/// One node. The nodes of a document lie in one list, each before its children, children before the next sibling.
typedef struct ctoml_node {
    ctoml_kind kind;
    /// How many direct children a table or an array has.
    size_t child_count;
    /// The name of a child of a table, and where it is written.
    ctoml_text key;
    ctoml_position key_position;
    /// Where the value begins.
    ctoml_position position;
    /// The value of a string, escapes resolved.
    ctoml_text string;
    int64_t integer;
    bool boolean;
    /// Whether an array is made of `[[headers]]`.
    bool is_table_array;
} ctoml_node;

typedef struct ctoml_document ctoml_document;

/// Parses a whole document. Bytes of any kind do no harm; nothing is thrown.
///
/// Nesting is limited to 32 brackets and braces and 16 parts of a key. NULL when there is no memory.
ctoml_document *ctoml_parse(const char *bytes, size_t count);

/// The nodes, the first of which is the root table; none when parsing failed.
const ctoml_node *ctoml_nodes(const ctoml_document *document, size_t *count);

/// Why parsing failed, and where; empty when it did not.
ctoml_text ctoml_error(const ctoml_document *document, ctoml_position *position);

void ctoml_free(ctoml_document *document);

#ifdef __cplusplus
}
#endif
