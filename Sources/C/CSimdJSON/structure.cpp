#include "structure.h"

#include <new>

#include "clean.h"

namespace {

// The minimum capacity of an index, which has four bytes per byte of text. An index that is much larger than needed is
// released.
constexpr size_t smallest_capacity = 128 * 1024;

// Moves past the digits at `text`. Returns false if there are none.
bool skip_digits(const uint8_t *&text, const uint8_t *end) {
    const uint8_t *start = text;
    while (text < end && is_digit(*text)) text++;
    return text > start;
}

// Returns true if the text from `text` to `end` is a single number.
bool is_number(const uint8_t *text, const uint8_t *end) {
    if (text < end && *text == '-') text++;
    const uint8_t *first = text;
    if (!skip_digits(text, end)) return false;
    if (*first == '0' && text - first > 1) return false;
    if (text < end && *text == '.' && !skip_digits(++text, end)) return false;
    if (text < end && (*text | 0x20) == 'e') {
        text++;
        if (text < end && (*text == '+' || *text == '-')) text++;
        if (!skip_digits(text, end)) return false;
    }
    return text == end;
}

// Returns the value of a hexadecimal digit, or -1.
int hex_value(uint8_t byte) {
    if (is_digit(byte)) return byte - '0';
    uint8_t letter = uint8_t((byte | 0x20) - 'a');
    return letter < 6 ? letter + 10 : -1;
}

// Returns the code unit of an escape such as `\u00e9` at `text`, or -1.
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

// Later versions of simdjson have a third parameter, which is true to replace halves of surrogate pairs.
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

Escapes check_escapes(const uint8_t *text, const uint8_t *end) {
    Escapes result = Escapes::good;
    while (text < end && (text = static_cast<const uint8_t *>(memchr(text, '\\', size_t(end - text))))) {
        if (end - text >= 2 && text[1] != 0 && strchr("\"\\/bfnrt", text[1])) {
            text += 2;
            continue;
        }
        int unit = code_unit(text, end);
        if (unit < 0) return Escapes::bad;
        text += 6;
        if (unit < 0xD800 || unit > 0xDFFF) continue;
        int low = unit < 0xDC00 ? code_unit(text, end) : -1;
        if (low < 0xDC00 || low > 0xDFFF) {
            result = Escapes::half_pair;
        } else {
            text += 6;
        }
    }
    return result;
}

bool Structure::create(size_t capacity) {
    index.reset();
    const auto &implementation = simdjson::get_active_implementation();
    return implementation->create_dom_parser_implementation(capacity, 1, index) == simdjson::SUCCESS;
}

bool Structure::reserve(size_t size) {
    size_t wanted = size < smallest_capacity ? smallest_capacity : size;
    return (index && index->capacity() >= wanted && index->capacity() <= 4 * wanted) || create(wanted);
}

simdjson::error_code Structure::scan(const uint8_t *text) {
    bytes = text;
    next = end = 0;
    has_half_pair = false;
    simdjson::error_code error = index->stage1(text, length, simdjson::stage1_mode::regular);
    tokens = index->structural_indexes.get();
    if (error != simdjson::SUCCESS) return error;
    end = index->n_structural_indexes;
    has_escapes = memchr(text, '\\', length) != nullptr;
    return error;
}

// Retries with a copy in which invalid bytes are replaced, so that only the elements that contain them are lost.
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
    return reserve(size) && scan(buffer) == simdjson::SUCCESS;
}

// Replaces the escapes of a string in the buffer with their characters.
void Structure::decode(csimdjson_slice *slice) {
    const uint8_t *past = decode_string(*index, bytes + slice->offset, decoded.get(), 0);
    if (!past) return;
    uint32_t count = uint32_t(past - decoded.get());
    replace(*slice, decoded.get(), count);
    *slice = {slice->offset, count, CSIMDJSON_KIND_STRING};
}

// Overwrites a string with a shorter text. Spaces after the closing quote fill the gap, so that the buffer is still
// JSON when it is shown.
void Structure::replace(const csimdjson_slice &slice, const uint8_t *text, uint32_t count) {
    for (uint8_t *buffer : {original, clean.get()}) {
        if (!buffer) continue;
        uint8_t *to = buffer + slice.offset;
        memcpy(to, text, count);
        to[count] = '"';
        memset(to + count + 1, ' ', slice.length - count);
    }
}

// Reads a scalar. Its text ends at the next token, or at white space before that.
bool Structure::read_scalar(uint32_t token, csimdjson_slice *slice) const {
    const uint8_t *text = bytes + position(token);
    const uint8_t *past = bytes + position(token + 1);
    while (is_space(past[-1])) past--;
    uint32_t count = uint32_t(past - text);
    *slice = {position(token), count, CSIMDJSON_KIND_NUMBER};
    if (is_number(text, past)) return true;
    slice->kind = CSIMDJSON_KIND_NONE;
    if (count == 4) return memcmp(text, "null", 4) == 0 || memcmp(text, "true", 4) == 0;
    return count == 5 && memcmp(text, "false", 5) == 0;
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
