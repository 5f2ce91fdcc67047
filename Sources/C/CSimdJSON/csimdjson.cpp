#include "csimdjson.h"

#include <cstring>
#include <memory>
#include <new>

#include <simdjson.h>

#include "structure.h"
#include "values.h"

namespace {

constexpr size_t field_count = 11;

constexpr Key keys[field_count] = {
    {"symbol", 6},   {"baseAsset", 9}, {"quoteAsset", 10}, {"openPrice", 9}, {"lowPrice", 8}, {"highPrice", 9},
    {"lastPrice", 9}, {"volume", 6},   {"bidPrice", 8},    {"askPrice", 8},  {"at", 2},
};

static_assert(sizeof(csimdjson_ticker) == field_count * sizeof(csimdjson_slice), "fields follow one another");

}  // namespace

struct csimdjson_parser : private Structure {
    std::unique_ptr<simdjson::ondemand::parser> reference;
    const ValueReader reader = value_reader();

    int begin(const uint8_t *buffer, size_t size);
    int read_next(csimdjson_ticker *ticker);
    bool read_error(csimdjson_slice *code, csimdjson_slice *message);
    void read_values(const csimdjson_ticker &ticker, csimdjson_values *values) const { reader(bytes, ticker, values); }

private:
    bool read_object(const Key *names, size_t count, csimdjson_slice *fields);
    size_t find_key(const csimdjson_slice &key, size_t expected, const Key *names, size_t count) const;
    bool read_documented(csimdjson_ticker *ticker);
};

int csimdjson_parser::begin(const uint8_t *buffer, size_t size) {
    int result = open(buffer, size);
    if (result != CSIMDJSON_ARRAY && result != CSIMDJSON_OBJECT) return result;
    next = 1;
    if (result == CSIMDJSON_OBJECT) return CSIMDJSON_OBJECT;
    if (end < 2) return CSIMDJSON_LOST;
    if (at(1) == ']') return end == 2 ? CSIMDJSON_EMPTY_ARRAY : CSIMDJSON_LOST;
    return CSIMDJSON_ARRAY;
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

int csimdjson_parser::read_next(csimdjson_ticker *ticker) {
    if (next >= end) return CSIMDJSON_NEXT_END;
    uint32_t first = next;
    bool is_good =
        read_documented(ticker) || read_object(keys, field_count, reinterpret_cast<csimdjson_slice *>(ticker));
    if (!is_good || (at(next) != ',' && at(next) != ']')) {
        is_good = false;
        next = first;
        if (!skip_region(']')) return CSIMDJSON_NEXT_LOST;
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

int csimdjson_next(csimdjson_parser *parser, csimdjson_ticker *ticker, csimdjson_values *values) {
    int result = parser->read_next(ticker);
    if (result == CSIMDJSON_NEXT_GOOD) parser->read_values(*ticker, values);
    return result;
}

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
