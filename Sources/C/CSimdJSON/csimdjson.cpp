#include "csimdjson.h"

#include <cstring>
#include <memory>
#include <new>

#include <simdjson.h>

#include "clean.h"

namespace {

// Values deeper than this make their element bad. The structure of a document deeper than `region_depth` is lost.
constexpr int value_depth = 64;
constexpr uint32_t region_depth = 1024;
// The index takes four bytes per byte of text. It is released if it is much larger than needed now.
constexpr size_t smallest_capacity = 128 * 1024;
constexpr size_t field_count = 11;

struct Key {
    const char *text;
    uint32_t length;
};

constexpr Key keys[field_count] = {
    {"symbol", 6},   {"baseAsset", 9}, {"quoteAsset", 10}, {"openPrice", 9}, {"lowPrice", 8}, {"highPrice", 9},
    {"lastPrice", 9}, {"volume", 6},   {"bidPrice", 8},    {"askPrice", 8},  {"at", 2},
};

static_assert(sizeof(csimdjson_ticker) == field_count * sizeof(csimdjson_slice), "fields follow one another");

bool is_space(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r'; }

bool ends_scalar(uint8_t byte) {
    return is_space(byte) || byte == ',' || byte == ']' || byte == '}' || byte == ':';
}

bool is_digit(uint8_t byte) { return uint8_t(byte - '0') < 10; }

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

template <typename Word>
bool are_ends_equal(const void *left, const void *right, uint32_t length) {
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

bool are_escapes_valid(const uint8_t *text, const uint8_t *end) {
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

}  // namespace

struct csimdjson_parser {
    std::unique_ptr<simdjson::internal::dom_parser_implementation> index;
    std::unique_ptr<simdjson::ondemand::parser> reference;
    // A copy in which '?' replaces each invalid byte; null if there is none.
    std::unique_ptr<uint8_t[]> clean;
    const uint8_t *original = nullptr;
    const uint8_t *bytes = nullptr;
    const uint32_t *tokens = nullptr;
    uint32_t length = 0;
    uint32_t next = 0;
    uint32_t end = 0;
    bool has_escapes = false;

    int begin(const uint8_t *buffer, size_t size);
    int read_next(csimdjson_ticker *ticker);
    bool read_error(csimdjson_slice *code, csimdjson_slice *message);

private:
    bool reserve(size_t size);
    simdjson::error_code scan(const uint8_t *text);
    bool scan_clean();

    // Structural characters, starts of strings and starts of other values are numbered. The scan appends the length of
    // the text, where the padding reads as 0; as 0 is never expected, nothing is read beyond it.
    uint8_t at(uint32_t token) const { return bytes[tokens[token]]; }
    uint32_t position(uint32_t token) const { return tokens[token]; }

    // Whether the token is a string with exactly this text, which contains nothing that needs escaping.
    bool is_key(uint32_t token, const Key &name) const {
        const uint8_t *text = bytes + position(token);
        return text[0] == '"' && text[name.length + 1] == '"' && are_equal(text + 1, name.text, name.length);
    }

    bool read_text(uint32_t token, csimdjson_slice *slice) const;
    bool read_scalar(uint32_t token, csimdjson_slice *slice) const;
    bool read_value(csimdjson_slice *slice, int depth);
    bool skip_object(int depth);
    bool skip_array(int depth);
    bool read_object(const Key *names, size_t count, csimdjson_slice *fields);
    size_t find_key(const csimdjson_slice &key, size_t expected, const Key *names, size_t count) const;
    bool read_documented(csimdjson_ticker *ticker);
    bool skip_region();
    bool is_changed(uint32_t first, uint32_t past) const;
};

bool csimdjson_parser::reserve(size_t size) {
    size_t wanted = size < smallest_capacity ? smallest_capacity : size;
    if (index && index->capacity() >= wanted && index->capacity() <= 4 * wanted) return true;
    index.reset();
    const auto &implementation = simdjson::get_active_implementation();
    return implementation->create_dom_parser_implementation(wanted, 1, index) == simdjson::SUCCESS;
}

simdjson::error_code csimdjson_parser::scan(const uint8_t *text) {
    bytes = text;
    next = end = 0;
    simdjson::error_code error = index->stage1(text, length, simdjson::stage1_mode::regular);
    tokens = index->structural_indexes.get();
    if (error == simdjson::SUCCESS) end = index->n_structural_indexes;
    return error;
}

// Retries without the bytes that make the whole document invalid, so only their elements are lost.
bool csimdjson_parser::scan_clean() {
    clean.reset(new (std::nothrow) uint8_t[size_t(length) + CSIMDJSON_PADDING]);
    if (!clean) return false;
    memcpy(clean.get(), original, length);
    memset(clean.get() + length, 0, CSIMDJSON_PADDING);
    replace_invalid_bytes(clean.get(), length);
    return scan(clean.get()) == simdjson::SUCCESS;
}

int csimdjson_parser::begin(const uint8_t *buffer, size_t size) {
    original = buffer;
    clean.reset();
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
    next = 1;
    if (buffer[first] == '{') return CSIMDJSON_OBJECT;
    if (end < 2) return CSIMDJSON_LOST;
    if (at(1) == ']') return end == 2 ? CSIMDJSON_EMPTY_ARRAY : CSIMDJSON_LOST;
    return CSIMDJSON_ARRAY;
}

// The closing quote is the last byte before the next token that is not white space.
inline bool csimdjson_parser::read_text(uint32_t token, csimdjson_slice *slice) const {
    uint32_t start = position(token) + 1;
    uint32_t last = position(token + 1) - 1;
    while (last >= start && is_space(bytes[last])) last--;
    if (last < start || bytes[last] != '"') return false;
    *slice = {start, last - start, CSIMDJSON_KIND_STRING};
    if (has_escapes && memchr(bytes + start, '\\', last - start)) {
        if (!are_escapes_valid(bytes + start, bytes + last)) return false;
        slice->kind = CSIMDJSON_KIND_NONE;
    }
    return true;
}

bool csimdjson_parser::read_scalar(uint32_t token, csimdjson_slice *slice) const {
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

// Reads the value at `next` and moves past it; `slice` is set for a string without escapes and for a number.
inline bool csimdjson_parser::read_value(csimdjson_slice *slice, int depth) {
    uint8_t first = at(next);
    if (first == '"') return read_text(next++, slice);
    if (first == '{') return depth > 0 && skip_object(depth - 1);
    if (first == '[') return depth > 0 && skip_array(depth - 1);
    return next < end && read_scalar(next++, slice);
}

bool csimdjson_parser::skip_object(int depth) {
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

bool csimdjson_parser::skip_array(int depth) {
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

inline size_t csimdjson_parser::find_key(
    const csimdjson_slice &key, size_t expected, const Key *names, size_t count
) const {
    const uint8_t *text = bytes + key.offset;
    for (size_t step = 0; step < count; step++) {
        size_t candidate = expected + step < count ? expected + step : expected + step - count;
        const Key &name = names[candidate];
        if (key.length == name.length && are_equal(text, name.text, name.length)) return candidate;
    }
    return count;
}

// Reads an object with the given fields in any order. Unknown fields are validated and skipped.
inline bool csimdjson_parser::read_object(const Key *names, size_t count, csimdjson_slice *fields) {
    memset(fields, 0, count * sizeof *fields);
    if (at(next++) != '{') return false;
    if (at(next) == '}') return ++next, true;
    size_t expected = 0;
    uint32_t seen = 0;
    while (true) {
        size_t field = expected;
        csimdjson_slice value = {0, 0, CSIMDJSON_KIND_NONE};
        if (is_key(next, names[expected])) {
            next++;
        } else {
            csimdjson_slice key;
            if (at(next) != '"' || !read_text(next++, &key)) return false;
            field = key.kind == CSIMDJSON_KIND_STRING ? find_key(key, expected, names, count) : count;
        }
        if (at(next++) != ':' || !read_value(&value, value_depth)) return false;
        if (field < count && !(seen & (1u << field))) {
            seen |= 1u << field;
            fields[field] = value;
            expected = field + 1 < count ? field + 1 : 0;
        }
        uint8_t separator = at(next++);
        if (separator == '}') return true;
        if (separator != ',') return false;
    }
}

// Whether the bytes at `position` are those of the literal, without its terminating zero byte.
#define STANDS(literal) (memcmp(bytes + position, literal, sizeof(literal) - 1) == 0)

// Skips a key and the string that follows it, which ends at the quote before the next token.
#define READ_STRING(field, literal, token)                                    \
    if (!STANDS(literal)) return false;                                       \
    start = position + uint32_t(sizeof(literal) - 1);                         \
    position = tokens[token] - 1;                                             \
    ticker->field = {start, position - start, CSIMDJSON_KIND_STRING};

// Reads an element in the documented order and without white space, the usual form. Returns false for any other form,
// without moving. The opening brace is a token, so the bytes outside strings up to a value are known, and so is the
// number of tokens: one for each brace, key, colon, value and comma.
inline bool csimdjson_parser::read_documented(csimdjson_ticker *ticker) {
    constexpr uint32_t token_count = 45;
    if (has_escapes || end - next <= token_count) return false;
    const uint32_t *tokens = this->tokens + next;
    uint32_t position = tokens[0];
    uint32_t start;
    READ_STRING(symbol, "{\"symbol\":\"", 4)
    READ_STRING(base_asset, "\",\"baseAsset\":\"", 8)
    READ_STRING(quote_asset, "\",\"quoteAsset\":\"", 12)
    READ_STRING(open_price, "\",\"openPrice\":\"", 16)
    READ_STRING(low_price, "\",\"lowPrice\":\"", 20)
    READ_STRING(high_price, "\",\"highPrice\":\"", 24)
    READ_STRING(last_price, "\",\"lastPrice\":\"", 28)
    READ_STRING(volume, "\",\"volume\":\"", 32)
    READ_STRING(bid_price, "\",\"bidPrice\":\"", 36)
    READ_STRING(ask_price, "\",\"askPrice\":\"", 40)
    if (!STANDS("\",\"at\":")) return false;
    start = position + 7;
    position = tokens[44];
    if (bytes[position] != '}' || bytes[start] == '0') return false;
    uint32_t past = start;
    while (is_digit(bytes[past])) past++;
    if (past != position || past == start) return false;
    ticker->at = {start, past - start, CSIMDJSON_KIND_NUMBER};
    next += token_count;
    return true;
}

#undef READ_STRING
#undef STANDS

// Skips to the next ',' or ']' of the outer array by counting brackets.
bool csimdjson_parser::skip_region() {
    uint8_t closers[region_depth];
    uint32_t depth = 0;
    uint32_t first = next;
    for (; next < end; next++) {
        uint8_t token = at(next);
        if (depth == 0 && (token == ',' || token == ']')) return next > first;
        if (token == '{' || token == '[') {
            if (depth == region_depth) return false;
            closers[depth++] = token + 2;
        } else if (token == '}' || token == ']') {
            if (depth == 0 || closers[--depth] != token) return false;
        }
    }
    return false;
}

bool csimdjson_parser::is_changed(uint32_t first, uint32_t past) const {
    return memcmp(original + position(first), bytes + position(first), position(past) - position(first)) != 0;
}

int csimdjson_parser::read_next(csimdjson_ticker *ticker) {
    if (next >= end) return CSIMDJSON_NEXT_END;
    uint32_t first = next;
    bool is_good =
        read_documented(ticker) || read_object(keys, field_count, reinterpret_cast<csimdjson_slice *>(ticker));
    if (!is_good || (at(next) != ',' && at(next) != ']')) {
        is_good = false;
        next = first;
        if (!skip_region()) return CSIMDJSON_NEXT_LOST;
    }
    if (clean && is_changed(first, next)) is_good = false;
    uint8_t separator = at(next++);
    if (separator == ']' ? next != end : next >= end) return CSIMDJSON_NEXT_LOST;
    if (separator == ',' && at(next) == ']') return CSIMDJSON_NEXT_LOST;
    return is_good ? CSIMDJSON_NEXT_GOOD : CSIMDJSON_NEXT_BAD;
}

bool csimdjson_parser::read_error(csimdjson_slice *code, csimdjson_slice *message) {
    constexpr Key names[2] = {{"code", 4}, {"message", 7}};
    csimdjson_slice fields[2];
    next = 0;
    if (clean || !read_object(names, 2, fields) || next != end) return false;
    *code = fields[0];
    *message = fields[1];
    return true;
}

csimdjson_parser *csimdjson_new(void) { return new (std::nothrow) csimdjson_parser; }

void csimdjson_free(csimdjson_parser *parser) { delete parser; }

int csimdjson_begin(csimdjson_parser *parser, const uint8_t *buffer, size_t length) {
    return parser->begin(buffer, length);
}

int csimdjson_next(csimdjson_parser *parser, csimdjson_ticker *ticker) { return parser->read_next(ticker); }

int csimdjson_error(csimdjson_parser *parser, csimdjson_slice *code, csimdjson_slice *message) {
    return parser->read_error(code, message);
}

int64_t csimdjson_read_all_fields(csimdjson_parser *parser, const uint8_t *buffer, size_t length) {
    if (!parser->reference) parser->reference.reset(new (std::nothrow) simdjson::ondemand::parser);
    if (!parser->reference) return -1;
    simdjson::ondemand::document document;
    simdjson::ondemand::array array;
    if (parser->reference->iterate(buffer, length, length + CSIMDJSON_PADDING).get(document)) return -1;
    if (document.get_array().get(array)) return -1;
    int64_t sum = 0;
    for (auto element : array) {
        simdjson::ondemand::object object;
        if (element.get_object().get(object)) return -1;
        for (size_t field = 0; field + 1 < field_count; field++) {
            std::string_view text;
            if (object.find_field(std::string_view(keys[field].text, keys[field].length)).get_string().get(text)) {
                return -1;
            }
            sum += int64_t(text.size());
        }
        int64_t time;
        if (object.find_field("at").get_int64().get(time)) return -1;
        sum += time & 1;
    }
    return sum;
}
