#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include <simdjson.h>

#include "csimdjson.h"

// What the readers of tickers share: simdjson's index of the structure of a document, a cursor over it, and strict
// reading of values. A reader derives from it.

// Values deeper than this make their element bad. The structure of a document deeper than `region_depth` is lost.
constexpr int value_depth = 64;
constexpr uint32_t region_depth = 1024;

// The name of a field; at least two bytes long, without anything that needs escaping.
struct Key {
    const char *text;
    uint32_t length;
};

inline bool is_space(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r'; }

inline bool is_digit(uint8_t byte) { return uint8_t(byte - '0') < 10; }

template <typename Word>
inline bool are_ends_equal(const void *left, const void *right, uint32_t length) {
    Word words[4];
    memcpy(&words[0], left, sizeof(Word));
    memcpy(&words[1], right, sizeof(Word));
    memcpy(&words[2], static_cast<const uint8_t *>(left) + length - sizeof(Word), sizeof(Word));
    memcpy(&words[3], static_cast<const uint8_t *>(right) + length - sizeof(Word), sizeof(Word));
    return words[0] == words[1] && words[2] == words[3];
}

// Whether two texts of 2 to 16 bytes are equal. Calling memcmp would take longer than the comparison.
inline bool are_equal(const void *left, const void *right, uint32_t length) {
    if (length >= 8) return are_ends_equal<uint64_t>(left, right, length);
    if (length >= 4) return are_ends_equal<uint32_t>(left, right, length);
    return are_ends_equal<uint16_t>(left, right, length);
}

class Structure {
protected:
    std::unique_ptr<simdjson::internal::dom_parser_implementation> index;
    // A copy in which '?' replaces each invalid byte; null if there is none.
    std::unique_ptr<uint8_t[]> clean;
    // Where a string with escapes is decoded; null if there is none in the document, or it must not be changed.
    std::unique_ptr<uint8_t[]> decoded;
    uint8_t *original = nullptr;
    const uint8_t *bytes = nullptr;
    const uint32_t *tokens = nullptr;
    uint32_t length = 0;
    uint32_t next = 0;
    uint32_t end = 0;
    bool has_escapes = false;

    // Indexes a document and moves to its first token. Returns CSIMDJSON_ARRAY or CSIMDJSON_OBJECT for what it begins
    // with, or why it cannot be read.
    int open(uint8_t *buffer, size_t size);

    // Indexes lines with a document each; false where one of them prevents an index of all, or there is no memory.
    bool open_lines(uint8_t *buffer, size_t size);

    // Structural characters, starts of strings and starts of other values are numbered. The scan appends the length of
    // the text, where the padding reads as 0; as 0 is never expected, nothing is read beyond it.
    uint8_t at(uint32_t token) const { return bytes[tokens[token]]; }
    uint32_t position(uint32_t token) const { return tokens[token]; }

    bool read_text(uint32_t token, csimdjson_slice *slice);
    bool read_scalar(uint32_t token, csimdjson_slice *slice) const;
    bool read_value(csimdjson_slice *slice, int depth);
    // Skips to the next ',' or `closing` of the present container by counting brackets.
    bool skip_region(uint8_t closing);
    // Whether the text between two tokens contained an invalid byte.
    bool is_changed(uint32_t first, uint32_t past) const;

private:
    bool reserve(size_t size);
    simdjson::error_code scan(const uint8_t *text);
    bool scan_clean();
    bool are_escapes_valid(uint32_t start, uint32_t past) const;
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
        if (!are_escapes_valid(start, last)) return false;
        slice->kind = CSIMDJSON_KIND_NONE;
        if (decoded) decode(slice);
    }
    return true;
}

// Reads the value at `next` and moves past it; `slice` is set for a string and for a number.
inline bool Structure::read_value(csimdjson_slice *slice, int depth) {
    uint8_t first = at(next);
    if (first == '"') return read_text(next++, slice);
    if (first == '{') return depth > 0 && skip_object(depth - 1);
    if (first == '[') return depth > 0 && skip_array(depth - 1);
    return next < end && read_scalar(next++, slice);
}
