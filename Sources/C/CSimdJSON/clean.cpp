#include "clean.h"

namespace {

bool is_continuation(uint8_t byte) { return (byte & 0xC0) == 0x80; }

// Returns the length of the valid sequence of two to four bytes at `text`, or 0. Zero bytes must follow the text.
uint32_t sequence_length(const uint8_t *text) {
    uint8_t first = text[0];
    if (first < 0xC2 || first > 0xF4) return 0;
    if (!is_continuation(text[1])) return 0;
    if (first < 0xE0) return 2;
    if (first == 0xE0 && text[1] < 0xA0) return 0;
    if (first == 0xED && text[1] > 0x9F) return 0;
    if (first == 0xF0 && text[1] < 0x90) return 0;
    if (first == 0xF4 && text[1] > 0x8F) return 0;
    if (!is_continuation(text[2])) return 0;
    if (first < 0xF0) return 3;
    return is_continuation(text[3]) ? 4 : 0;
}

}  // namespace

void replace_invalid_bytes(uint8_t *bytes, uint32_t length) noexcept {
    bool in_string = false;
    bool is_escaped = false;
    uint32_t position = 0;
    while (position < length) {
        uint8_t byte = bytes[position];
        if (byte >= 0x80) {
            uint32_t count = sequence_length(bytes + position);
            if (count == 0) bytes[position] = '?';
            position += count == 0 ? 1 : count;
            is_escaped = false;
            continue;
        }
        if (in_string && byte < 0x20) bytes[position] = '?';
        if (byte == '"' && !is_escaped) in_string = !in_string;
        is_escaped = byte == '\\' && !is_escaped;
        position++;
    }
}
