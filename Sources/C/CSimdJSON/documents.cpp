#include "documents.h"

#include <cstring>
#include <memory>
#include <new>

#include <simdjson.h>

namespace {

bool is_space(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r'; }

bool is_digit(uint8_t byte) { return uint8_t(byte - '0') < 10; }

// The value of a hexadecimal digit, or -1.
int hex_value(uint8_t byte) {
    if (is_digit(byte)) return byte - '0';
    uint8_t letter = uint8_t((byte | 0x20) - 'a');
    return letter < 6 ? letter + 10 : -1;
}

// Moves past the digits at `text`; false when there are none.
bool skip_digits(const uint8_t *&text, const uint8_t *end) {
    const uint8_t *start = text;
    while (text < end && is_digit(*text)) text++;
    return text > start;
}

// Whether the text from `text` to `end` is one number and nothing else.
bool is_number(const uint8_t *text, const uint8_t *end) {
    if (text < end && *text == '-') text++;
    const uint8_t *first = text;
    if (!skip_digits(text, end)) return false;
    if (*first == '0' && text - first > 1) return false;
    if (text < end && *text == '.') {
        text++;
        if (!skip_digits(text, end)) return false;
    }
    if (text < end && (*text == 'e' || *text == 'E')) {
        text++;
        if (text < end && (*text == '+' || *text == '-')) text++;
        if (!skip_digits(text, end)) return false;
    }
    return text == end;
}

// The code unit of `\u00e9` at `text`, or -1.
int code_unit(const uint8_t *text, const uint8_t *end) {
    if (end - text < 6 || text[0] != '\\' || text[1] != 'u') return -1;
    int unit = 0;
    for (int digit = 2; digit < 6; digit++) {
        int value = hex_value(text[digit]);
        if (value < 0) return -1;
        unit = unit << 4 | value;
    }
    return unit;
}

// The length of the escape at `text`, or 0 when it is not one.
size_t escape_length(const uint8_t *text, const uint8_t *end, int *result) {
    if (end - text < 2) return 0;
    if (text[1] != 'u') return text[1] != 0 && strchr("\"\\/bfnrt", text[1]) ? 2 : 0;
    int unit = code_unit(text, end);
    if (unit < 0) return 0;
    if (unit < 0xD800 || unit > 0xDFFF) return 6;
    int low = unit < 0xDC00 ? code_unit(text + 6, end) : -1;
    if (low >= 0xDC00 && low <= 0xDFFF) return 12;
    *result = CSIMDJSON_DOCUMENT_INVALID_TEXT;
    return 0;
}

}  // namespace

struct csimdjson_document {
    std::unique_ptr<simdjson::internal::dom_parser_implementation> index;
    const uint8_t *bytes = nullptr;
    const uint32_t *tokens = nullptr;
    uint32_t length = 0;
    uint32_t token_count = 0;
    uint32_t next = 0;
    csimdjson_node *nodes = nullptr;
    uint32_t node_count = 0;
    // Why the last function that returned false did.
    int result = CSIMDJSON_DOCUMENT_GOOD;

    int begin(const uint8_t *buffer, size_t size);
    int read(uint32_t depth);

private:
    bool fail(int reason) {
        if (result == CSIMDJSON_DOCUMENT_GOOD) result = reason;
        return false;
    }
    bool malformed() { return fail(CSIMDJSON_DOCUMENT_MALFORMED); }

    // The character at the next token; 0, which is never expected, after the last one.
    uint8_t peek() const { return next < token_count ? bytes[tokens[next]] : 0; }
    // Where the text of the token ends at the latest.
    uint32_t limit(uint32_t token) const { return token + 1 < token_count ? tokens[token + 1] : length; }

    csimdjson_node &add(uint8_t kind, uint32_t offset, uint32_t size);
    bool read_string();
    bool read_scalar();
    bool read_container(uint32_t depth, uint8_t kind, uint8_t closing);
    bool read_value(uint32_t depth);
};

int csimdjson_document::begin(const uint8_t *buffer, size_t size) {
    bytes = buffer;
    next = token_count = node_count = 0;
    result = CSIMDJSON_DOCUMENT_GOOD;
    if (size >= size_t(1) << 31) return CSIMDJSON_DOCUMENT_MEMORY;
    length = uint32_t(size);
    if (size == 0) return CSIMDJSON_DOCUMENT_MALFORMED;
    const auto &implementation = simdjson::get_active_implementation();
    if (implementation->create_dom_parser_implementation(size, 1, index) != simdjson::SUCCESS) {
        return CSIMDJSON_DOCUMENT_MEMORY;
    }
    simdjson::error_code error = index->stage1(buffer, size, simdjson::stage1_mode::regular);
    if (error == simdjson::UTF8_ERROR || error == simdjson::UNESCAPED_CHARS) return CSIMDJSON_DOCUMENT_INVALID_TEXT;
    if (error != simdjson::SUCCESS) return CSIMDJSON_DOCUMENT_MALFORMED;
    tokens = index->structural_indexes.get();
    token_count = index->n_structural_indexes;
    return CSIMDJSON_DOCUMENT_GOOD;
}

int csimdjson_document::read(uint32_t depth) {
    if (!read_value(depth)) return result;
    return next == token_count ? CSIMDJSON_DOCUMENT_GOOD : CSIMDJSON_DOCUMENT_MALFORMED;
}

// Each node takes at least one token, so that there is always room.
csimdjson_node &csimdjson_document::add(uint8_t kind, uint32_t offset, uint32_t size) {
    csimdjson_node &node = nodes[node_count++];
    node = {offset, size, node_count, kind, 0};
    return node;
}

bool csimdjson_document::read_string() {
    const uint8_t *start = bytes + tokens[next] + 1;
    const uint8_t *end = bytes + limit(next);
    const uint8_t *text = start;
    bool has_escapes = false;
    while (text < end && *text != '"') {
        if (*text != '\\') {
            text++;
            continue;
        }
        has_escapes = true;
        size_t size = escape_length(text, end, &result);
        if (size == 0) return malformed();
        text += size;
    }
    if (text >= end) return malformed();
    for (const uint8_t *rest = text + 1; rest < end; rest++) {
        if (!is_space(*rest)) return malformed();
    }
    add(CSIMDJSON_NODE_STRING, uint32_t(start - bytes), uint32_t(text - start)).has_escapes = has_escapes;
    next++;
    return true;
}

bool csimdjson_document::read_scalar() {
    const uint8_t *start = bytes + tokens[next];
    const uint8_t *end = bytes + limit(next);
    while (end > start && is_space(end[-1])) end--;
    size_t size = size_t(end - start);
    uint8_t kind;
    if (size == 4 && memcmp(start, "null", 4) == 0) {
        kind = CSIMDJSON_NODE_NULL;
    } else if (size == 4 && memcmp(start, "true", 4) == 0) {
        kind = CSIMDJSON_NODE_TRUE;
    } else if (size == 5 && memcmp(start, "false", 5) == 0) {
        kind = CSIMDJSON_NODE_FALSE;
    } else if (is_number(start, end)) {
        kind = CSIMDJSON_NODE_NUMBER;
    } else {
        return malformed();
    }
    add(kind, tokens[next], uint32_t(size));
    next++;
    return true;
}

bool csimdjson_document::read_container(uint32_t depth, uint8_t kind, uint8_t closing) {
    if (depth == 0) return fail(CSIMDJSON_DOCUMENT_TOO_DEEP);
    uint32_t start = tokens[next++];
    uint32_t place = node_count;
    add(kind, start, 0);
    if (peek() != closing) {
        while (true) {
            if (kind == CSIMDJSON_NODE_OBJECT) {
                if (peek() != '"' || !read_string()) return malformed();
                if (peek() != ':') return malformed();
                next++;
            }
            if (!read_value(depth - 1)) return false;
            if (peek() != ',') break;
            next++;
        }
        if (peek() != closing) return malformed();
    }
    nodes[place].length = tokens[next++] + 1 - start;
    nodes[place].end = node_count;
    return true;
}

bool csimdjson_document::read_value(uint32_t depth) {
    switch (peek()) {
    case 0: return malformed();
    case '"': return read_string();
    case '{': return read_container(depth, CSIMDJSON_NODE_OBJECT, '}');
    case '[': return read_container(depth, CSIMDJSON_NODE_ARRAY, ']');
    default: return read_scalar();
    }
}

csimdjson_document *csimdjson_document_new(void) { return new (std::nothrow) csimdjson_document; }

void csimdjson_document_free(csimdjson_document *document) { delete document; }

int csimdjson_document_index(
    csimdjson_document *document, const uint8_t *buffer, size_t length, size_t *most_nodes
) {
    int result = document->begin(buffer, length);
    *most_nodes = document->token_count;
    return result;
}

int csimdjson_document_read(csimdjson_document *document, uint32_t depth, csimdjson_node *nodes, size_t *count) {
    document->nodes = nodes;
    int result = document->read(depth);
    *count = result == CSIMDJSON_DOCUMENT_GOOD ? document->node_count : 0;
    document->nodes = nullptr;
    return result;
}
