#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include <simdjson.h>

#include "csimdjson.h"

// The base class of all readers: simdjson's index of the structure of a document, a cursor over it, and strict reading
// of values.

// An element with values deeper than `value_depth` is bad. The structure of a document deeper than `region_depth` is
// lost.
constexpr int value_depth = 64;
constexpr uint32_t region_depth = 1024;

inline bool is_space(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r'; }

inline bool is_digit(uint8_t byte) { return uint8_t(byte - '0') < 10; }

enum class Escapes { good, half_pair, bad };

// Checks the escapes of the string from `text` to `end`.
Escapes check_escapes(const uint8_t *text, const uint8_t *end);

class Structure {
protected:
    std::unique_ptr<simdjson::internal::dom_parser_implementation> index;
    // A copy with '?' in place of each invalid byte; null if all bytes are valid.
    std::unique_ptr<uint8_t[]> clean;
    // A buffer for decoding strings with escapes; null if the document has none or must not be changed.
    std::unique_ptr<uint8_t[]> decoded;
    uint8_t *original = nullptr;
    const uint8_t *bytes = nullptr;
    const uint32_t *tokens = nullptr;
    uint32_t length = 0;
    uint32_t next = 0;
    uint32_t end = 0;
    bool has_escapes = false;
    // True if any string read so far has half of a surrogate pair.
    bool has_half_pair = false;

    // Makes an index for texts of this size. Returns false if out of memory.
    bool create(size_t capacity);

    // Indexes a text of `length` bytes. It needs no padding.
    simdjson::error_code scan(const uint8_t *text);

    // Indexes a document and moves to its first token. Returns CSIMDJSON_ARRAY or CSIMDJSON_OBJECT according to its
    // first character, or the reason why it cannot be read.
    int open(uint8_t *buffer, size_t size);

    // Indexes a text with one document per line. Returns false if any line prevents indexing, or if out of memory.
    bool open_lines(uint8_t *buffer, size_t size);

    // Tokens are structural characters and the first characters of strings and other values, numbered in order. The
    // scan appends a token at the length of the text, where the padding is 0. No reader expects a 0, so none reads
    // past it.
    uint8_t at(uint32_t token) const { return bytes[tokens[token]]; }
    uint32_t position(uint32_t token) const { return tokens[token]; }

    bool read_text(uint32_t token, csimdjson_slice *slice);
    bool read_scalar(uint32_t token, csimdjson_slice *slice) const;
    bool read_value(csimdjson_slice *slice, int depth);
    // Skips to the next ',' or `closing` of the current container by counting brackets.
    bool skip_region(uint8_t closing);
    // Returns true if the text between two tokens contained an invalid byte.
    bool is_changed(uint32_t first, uint32_t past) const;

private:
    bool reserve(size_t size);
    bool scan_clean();
    void decode(csimdjson_slice *slice);
    void replace(const csimdjson_slice &slice, const uint8_t *text, uint32_t count);
    bool skip_object(int depth);
    bool skip_array(int depth);
};

// The closing quote is the last byte before the next token that is not white space.
inline bool Structure::read_text(uint32_t token, csimdjson_slice *slice) {
    uint32_t start = position(token) + 1;
    uint32_t last = position(token + 1) - 1;
    while (last >= start && is_space(bytes[last])) last--;
    if (last < start || bytes[last] != '"') return false;
    *slice = {start, last - start, CSIMDJSON_KIND_STRING};
    if (has_escapes && memchr(bytes + start, '\\', last - start)) {
        Escapes escapes = check_escapes(bytes + start, bytes + last);
        if (escapes == Escapes::bad) return false;
        if (escapes == Escapes::half_pair) has_half_pair = true;
        slice->kind = CSIMDJSON_KIND_NONE;
        if (decoded && escapes == Escapes::good) decode(slice);
    }
    return true;
}

// Reads the value at `next` and moves past it. Sets `slice` unless the value is an array or object.
inline bool Structure::read_value(csimdjson_slice *slice, int depth) {
    uint8_t first = at(next);
    if (first == '"') return read_text(next++, slice);
    if (first == '{') return depth > 0 && skip_object(depth - 1);
    if (first == '[') return depth > 0 && skip_array(depth - 1);
    return next < end && read_scalar(next++, slice);
}
