#include "structure.h"

#include <new>

#include "clean.h"

namespace {

// The index takes four bytes per byte of text. It is released if it is much larger than needed now.
constexpr size_t smallest_capacity = 128 * 1024;

bool ends_scalar(uint8_t byte) {
    return is_space(byte) || byte == ',' || byte == ']' || byte == '}' || byte == ':';
}

bool is_hex(uint8_t byte) { return is_digit(byte) || uint8_t((byte | 0x20) - 'a') < 6; }

// The position after the number at `position`, or 0 when there is none. The padding ends every run of digits.
uint32_t after_number(const uint8_t *bytes, uint32_t position) {
    if (bytes[position] == '-') position++;
    if (!is_digit(bytes[position])) return 0;
    if (bytes[position] == '0') {
        position++;
    } else {
        while (is_digit(bytes[position])) position++;
    }
    if (bytes[position] == '.') {
        if (!is_digit(bytes[++position])) return 0;
        while (is_digit(bytes[position])) position++;
    }
    if ((bytes[position] | 0x20) == 'e') {
        position++;
        if (bytes[position] == '+' || bytes[position] == '-') position++;
        if (!is_digit(bytes[position])) return 0;
        while (is_digit(bytes[position])) position++;
    }
    return position;
}

// Later versions of simdjson have a third parameter: whether halves of surrogate pairs are replaced.
template <typename Parser>
auto decode_string(const Parser &parser, const uint8_t *text, uint8_t *to, int)
    -> decltype(parser.parse_string(text, to, false)) {
    return parser.parse_string(text, to, false);
}

template <typename Parser>
uint8_t *decode_string(const Parser &parser, const uint8_t *text, uint8_t *to, long) {
    return parser.parse_string(text, to);
}

}  // namespace

bool Structure::reserve(size_t size) {
    size_t wanted = size < smallest_capacity ? smallest_capacity : size;
    if (index && index->capacity() >= wanted && index->capacity() <= 4 * wanted) return true;
    index.reset();
    const auto &implementation = simdjson::get_active_implementation();
    return implementation->create_dom_parser_implementation(wanted, 1, index) == simdjson::SUCCESS;
}

simdjson::error_code Structure::scan(const uint8_t *text) {
    bytes = text;
    next = end = 0;
    simdjson::error_code error = index->stage1(text, length, simdjson::stage1_mode::regular);
    tokens = index->structural_indexes.get();
    if (error == simdjson::SUCCESS) end = index->n_structural_indexes;
    return error;
}

// Retries without the bytes that make the whole document invalid, so only their elements are lost.
bool Structure::scan_clean() {
    clean.reset(new (std::nothrow) uint8_t[size_t(length) + CSIMDJSON_PADDING]);
    if (!clean) return false;
    memcpy(clean.get(), original, length);
    memset(clean.get() + length, 0, CSIMDJSON_PADDING);
    replace_invalid_bytes(clean.get(), length);
    return scan(clean.get()) == simdjson::SUCCESS;
}

int Structure::open(uint8_t *buffer, size_t size) {
    original = buffer;
    clean.reset();
    decoded.reset();
    next = end = 0;
    if (size >= (size_t(1) << 31)) return CSIMDJSON_MEMORY;
    length = uint32_t(size);
    size_t first = 0;
    while (first < size && is_space(buffer[first])) first++;
    if (first == size) return CSIMDJSON_EMPTY;
    if (buffer[first] != '[' && buffer[first] != '{') return CSIMDJSON_NOT_JSON;
    if (!reserve(size)) return CSIMDJSON_MEMORY;
    simdjson::error_code error = scan(buffer);
    if (error == simdjson::UTF8_ERROR || error == simdjson::UNESCAPED_CHARS) {
        if (!scan_clean()) return CSIMDJSON_LOST;
    } else if (error != simdjson::SUCCESS) {
        return CSIMDJSON_LOST;
    }
    has_escapes = memchr(bytes, '\\', length) != nullptr;
    if (has_escapes) {
        decoded.reset(new (std::nothrow) uint8_t[size + simdjson::SIMDJSON_PADDING]);
        if (!decoded) return CSIMDJSON_MEMORY;
    }
    return buffer[first] == '{' ? CSIMDJSON_OBJECT : CSIMDJSON_ARRAY;
}

bool Structure::open_lines(uint8_t *buffer, size_t size) {
    original = buffer;
    clean.reset();
    length = uint32_t(size);
    next = end = 0;
    if (!reserve(size) || scan(buffer) != simdjson::SUCCESS) return false;
    has_escapes = memchr(bytes, '\\', length) != nullptr;
    return true;
}

bool Structure::are_escapes_valid(uint32_t start, uint32_t past) const {
    const uint8_t *text = bytes + start;
    const uint8_t *end = bytes + past;
    while (text < end && (text = static_cast<const uint8_t *>(memchr(text, '\\', size_t(end - text))))) {
        if (end - text < 2) return false;
        if (text[1] == 'u') {
            if (end - text < 6) return false;
            if (!is_hex(text[2]) || !is_hex(text[3]) || !is_hex(text[4]) || !is_hex(text[5])) return false;
            text += 6;
        } else if (text[1] != 0 && strchr("\"\\/bfnrt", text[1])) {
            text += 2;
        } else {
            return false;
        }
    }
    return true;
}

// Replaces the escapes of a string by their characters, in the buffer. A string with half of a surrogate pair is kept,
// and has the kind NONE.
void Structure::decode(csimdjson_slice *slice) {
    const uint8_t *past = decode_string(*index, bytes + slice->offset, decoded.get(), 0);
    if (!past) return;
    uint32_t count = uint32_t(past - decoded.get());
    replace(*slice, decoded.get(), count);
    *slice = {slice->offset, count, CSIMDJSON_KIND_STRING};
}

// Writes a shorter text over a string. Spaces follow its closing quote, so that it remains JSON to a reader's eye.
void Structure::replace(const csimdjson_slice &slice, const uint8_t *text, uint32_t count) {
    for (uint8_t *buffer : {original, clean.get()}) {
        if (!buffer) continue;
        uint8_t *to = buffer + slice.offset;
        memcpy(to, text, count);
        to[count] = '"';
        memset(to + count + 1, ' ', slice.length - count);
    }
}

bool Structure::read_scalar(uint32_t token, csimdjson_slice *slice) const {
    uint32_t start = position(token);
    const uint8_t *text = bytes + start;
    uint32_t past = 0;
    if (is_digit(*text) || *text == '-') {
        past = after_number(bytes, start);
        *slice = {start, past - start, CSIMDJSON_KIND_NUMBER};
    } else if (memcmp(text, "null", 4) == 0 || memcmp(text, "true", 4) == 0) {
        past = start + 4;
    } else if (memcmp(text, "false", 5) == 0) {
        past = start + 5;
    }
    return past != 0 && past <= length && (past == length || ends_scalar(bytes[past]));
}

bool Structure::skip_object(int depth) {
    csimdjson_slice ignored;
    next++;
    if (at(next) == '}') return ++next, true;
    while (true) {
        if (at(next) != '"' || !read_text(next++, &ignored)) return false;
        if (at(next++) != ':' || !read_value(&ignored, depth)) return false;
        uint8_t separator = at(next++);
        if (separator == '}') return true;
        if (separator != ',') return false;
    }
}

bool Structure::skip_array(int depth) {
    csimdjson_slice ignored;
    next++;
    if (at(next) == ']') return ++next, true;
    while (true) {
        if (!read_value(&ignored, depth)) return false;
        uint8_t separator = at(next++);
        if (separator == ']') return true;
        if (separator != ',') return false;
    }
}

bool Structure::skip_region(uint8_t closing) {
    uint8_t closers[region_depth];
    uint32_t depth = 0;
    uint32_t first = next;
    for (; next < end; next++) {
        uint8_t token = at(next);
        if (depth == 0 && (token == ',' || token == closing)) return next > first;
        if (token == '{' || token == '[') {
            if (depth == region_depth) return false;
            closers[depth++] = token + 2;
        } else if (token == '}' || token == ']') {
            if (depth == 0 || closers[--depth] != token) return false;
        }
    }
    return false;
}

bool Structure::is_changed(uint32_t first, uint32_t past) const {
    return memcmp(original + position(first), bytes + position(first), position(past) - position(first)) != 0;
}
