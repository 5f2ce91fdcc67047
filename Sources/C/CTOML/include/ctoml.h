#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The type of a node of a TOML document.
typedef enum ctoml_kind {
    CTOML_TABLE,
    CTOML_ARRAY,
    CTOML_STRING,
    CTOML_INTEGER,
    CTOML_FLOAT,
    CTOML_BOOLEAN,
    CTOML_DATE_TIME
} ctoml_kind;

/// A position in the document. Line and column are counted from 1, the column in Unicode scalars. Both are 0 if there
/// is none.
typedef struct ctoml_position {
    uint32_t line;
    uint32_t column;
} ctoml_position;

/// Bytes owned by the document, valid as long as it exists. They are not NUL-terminated.
typedef struct ctoml_text {
    const char *bytes;
    size_t count;
} ctoml_text;

/// A node. The nodes of a document are a list in which each node precedes its children, and the children precede its
/// next sibling.
typedef struct ctoml_node {
    ctoml_kind kind;
    /// The number of direct children of a table or an array.
    size_t child_count;
    /// The key of a child of a table.
    ctoml_text key;
    /// The position of the key.
    ctoml_position key_position;
    /// The position of the value.
    ctoml_position position;
    /// The position after the value, or after the header of a table that has one.
    ctoml_position end;
    /// The value of a string with escapes resolved.
    ctoml_text string;
    int64_t integer;
    bool boolean;
    /// True if an array consists of `[[header]]` tables.
    bool is_table_array;
} ctoml_node;

typedef struct ctoml_document ctoml_document;

/// Parses a complete document. Any bytes are safe, and no exception is thrown.
///
/// Nesting is limited to 32 brackets and braces and 16 parts of a key. Returns NULL if out of memory.
ctoml_document *ctoml_parse(const char *bytes, size_t count);

/// Returns the nodes, starting with the root table. There are none if parsing failed.
const ctoml_node *ctoml_nodes(const ctoml_document *document, size_t *count);

/// Returns the reason and position of a parse error. The text is empty if parsing succeeded.
ctoml_text ctoml_error(const ctoml_document *document, ctoml_position *position);

void ctoml_free(ctoml_document *document);

/// Returns free heap pages to the system. A freed document leaves many of them between pages that are in use.
void ctoml_trim_heap(void);

#ifdef __cplusplus
}
#endif
