#include "documents.h"

#include <new>

#include "structure.h"

struct csimdjson_document : private Structure {
    csimdjson_node *nodes = nullptr;
    uint32_t node_count = 0;

    int begin(const uint8_t *buffer, size_t size);
    int read(uint32_t depth);
    // Each node consists of at least one token.
    uint32_t most_nodes() const { return end; }

private:
    bool is_too_deep = false;

    // Returns the character at the next token, or 0 after the last one. No reader expects a 0. The buffer has no
    // padding, so nothing past its end can be read.
    uint8_t peek() const { return next < end ? at(next) : 0; }
    csimdjson_node &add(uint8_t kind, uint32_t offset, uint32_t size);
    bool read_string();
    bool read_word();
    bool read_container(uint32_t depth, uint8_t kind, uint8_t closing);
    bool read_node(uint32_t depth);
};

int csimdjson_document::begin(const uint8_t *buffer, size_t size) {
    node_count = 0;
    if (size >= size_t(1) << 31) return CSIMDJSON_DOCUMENT_MEMORY;
    length = uint32_t(size);
    if (size == 0) return CSIMDJSON_DOCUMENT_MALFORMED;
    if (!create(size)) return CSIMDJSON_DOCUMENT_MEMORY;
    simdjson::error_code error = scan(buffer);
    if (error == simdjson::UTF8_ERROR || error == simdjson::UNESCAPED_CHARS) return CSIMDJSON_DOCUMENT_INVALID_TEXT;
    return error == simdjson::SUCCESS ? CSIMDJSON_DOCUMENT_GOOD : CSIMDJSON_DOCUMENT_MALFORMED;
}

int csimdjson_document::read(uint32_t depth) {
    is_too_deep = false;
    if (!read_node(depth) || next != end) {
        return is_too_deep ? CSIMDJSON_DOCUMENT_TOO_DEEP : CSIMDJSON_DOCUMENT_MALFORMED;
    }
    return has_half_pair ? CSIMDJSON_DOCUMENT_INVALID_TEXT : CSIMDJSON_DOCUMENT_GOOD;
}

csimdjson_node &csimdjson_document::add(uint8_t kind, uint32_t offset, uint32_t size) {
    csimdjson_node &node = nodes[node_count++];
    node = {offset, size, node_count, kind, 0};
    return node;
}

bool csimdjson_document::read_string() {
    csimdjson_slice slice;
    if (peek() != '"' || !read_text(next++, &slice)) return false;
    add(CSIMDJSON_NODE_STRING, slice.offset, slice.length).has_escapes = slice.kind == CSIMDJSON_KIND_NONE;
    return true;
}

bool csimdjson_document::read_word() {
    csimdjson_slice slice;
    if (!read_scalar(next++, &slice)) return false;
    uint8_t first = bytes[slice.offset];
    uint8_t kind = first == 'n' ? CSIMDJSON_NODE_NULL
        : first == 't'          ? CSIMDJSON_NODE_TRUE
        : first == 'f'          ? CSIMDJSON_NODE_FALSE
                                : CSIMDJSON_NODE_NUMBER;
    add(kind, slice.offset, slice.length);
    return true;
}

bool csimdjson_document::read_container(uint32_t depth, uint8_t kind, uint8_t closing) {
    is_too_deep = depth == 0;
    if (is_too_deep) return false;
    uint32_t start = position(next++);
    uint32_t place = node_count;
    add(kind, start, 0);
    if (peek() != closing) {
        while (true) {
            if (kind == CSIMDJSON_NODE_OBJECT && (!read_string() || peek() != ':' || !++next)) return false;
            if (!read_node(depth - 1)) return false;
            if (peek() != ',') break;
            next++;
        }
        if (peek() != closing) return false;
    }
    nodes[place].length = position(next++) + 1 - start;
    nodes[place].end = node_count;
    return true;
}

bool csimdjson_document::read_node(uint32_t depth) {
    switch (peek()) {
    case 0: return false;
    case '"': return read_string();
    case '{': return read_container(depth, CSIMDJSON_NODE_OBJECT, '}');
    case '[': return read_container(depth, CSIMDJSON_NODE_ARRAY, ']');
    default: return read_word();
    }
}

csimdjson_document *csimdjson_document_new(void) { return new (std::nothrow) csimdjson_document; }

void csimdjson_document_free(csimdjson_document *document) { delete document; }

int csimdjson_document_index(
    csimdjson_document *document, const uint8_t *buffer, size_t length, size_t *most_nodes
) {
    int result = document->begin(buffer, length);
    *most_nodes = document->most_nodes();
    return result;
}

int csimdjson_document_read(csimdjson_document *document, uint32_t depth, csimdjson_node *nodes, size_t *count) {
    document->nodes = nodes;
    int result = document->read(depth);
    *count = result == CSIMDJSON_DOCUMENT_GOOD ? document->node_count : 0;
    document->nodes = nullptr;
    return result;
}
