#include "csimdjson.h"

#include <cstring>
#include <memory>
#include <new>
#include <utility>

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

// One for each brace, key, colon, value and comma of an element in the documented form.
constexpr uint32_t token_count = 45;

// Where an element begins, and where the digits of its time do: in the documented form after everything else. An
// element of another form has nothing before its time, and is never compared.
struct Place {
    uint32_t start;
    uint32_t time;
};

// The places of a document's elements, in their order.
struct Places {
    std::unique_ptr<Place[]> all;
    uint32_t capacity = 0;
    uint32_t count = 0;

    // Makes room for the elements of a document of this size. Where there is no memory, there is no room.
    void reserve(size_t size) {
        constexpr size_t least_element = 128;  // 150 bytes with keys and punctuation alone
        uint32_t wanted = uint32_t(size / least_element);
        count = 0;
        if (capacity >= wanted && capacity / 4 <= wanted) return;
        all.reset(new (std::nothrow) Place[wanted]);
        capacity = all ? wanted : 0;
    }

    // As places are found by the number of their element, those without room are all at the end.
    void add(Place place) {
        if (count < capacity) all[count++] = place;
    }
};

// Milliseconds have 13 digits until the year 2286, which the compiler then compares without a call.
inline bool are_same(const uint8_t *digits, const uint8_t *others, uint32_t count) {
    return count == 13 ? memcmp(digits, others, 13) == 0 : memcmp(digits, others, count) == 0;
}

}  // namespace

struct csimdjson_parser : private Structure {
    std::unique_ptr<simdjson::ondemand::parser> reference;
    const ValueReader reader = value_reader();
    const ValueReader timer = time_reader();

    int begin(const uint8_t *buffer, size_t size, const uint8_t *former_buffer);
    int read_next(csimdjson_ticker *ticker);
    uint32_t pass_repeated();
    bool read_error(csimdjson_slice *code, csimdjson_slice *message);
    void read_values(const csimdjson_ticker &ticker, csimdjson_values *values) const { reader(bytes, ticker, values); }
    void read_time(const csimdjson_ticker &ticker, csimdjson_values *values) const { timer(bytes, ticker, values); }

private:
    const uint8_t *former = nullptr;
    Places former_places;
    Places places;
    uint32_t number = 0;  // of the next element
    // Whether all elements are those of the former document but for their times. Such a document has no index.
    bool is_repetition = false;

    uint32_t after_repeated(uint32_t position, Place place) const;
    bool repeats_former(const uint8_t *buffer, size_t size);
    bool read_repeated(csimdjson_ticker *ticker, Place place);
    csimdjson_slice time_in_repetition(uint32_t each) const;
    int read_next_of_repetition(csimdjson_ticker *ticker);
    bool read_object(const Key *names, size_t count, csimdjson_slice *fields);
    size_t find_key(const csimdjson_slice &key, size_t expected, const Key *names, size_t count) const;
    bool read_documented(csimdjson_ticker *ticker);
};

int csimdjson_parser::begin(const uint8_t *buffer, size_t size, const uint8_t *former_buffer) {
    former = former_buffer;
    std::swap(places, former_places);
    if (!former) former_places.count = 0;
    number = 0;
    is_repetition = repeats_former(buffer, size);
    if (is_repetition) return CSIMDJSON_ARRAY;
    places.reserve(size);
    int result = open(buffer, size);
    if (result != CSIMDJSON_ARRAY && result != CSIMDJSON_OBJECT) return result;
    next = 1;
    if (result == CSIMDJSON_OBJECT) return CSIMDJSON_OBJECT;
    if (end < 2) return CSIMDJSON_LOST;
    if (at(1) == ']') return end == 2 ? CSIMDJSON_EMPTY_ARRAY : CSIMDJSON_LOST;
    return CSIMDJSON_ARRAY;
}

// The position after the element at `position` if it is the former document's at `place` but for the digits of its
// time; else 0.
inline uint32_t csimdjson_parser::after_repeated(uint32_t position, Place place) const {
    uint32_t span = place.time - place.start;
    if (span == 0 || length - position < span || memcmp(bytes + position, former + place.start, span) != 0) return 0;
    uint32_t start = position + span;
    uint32_t past = start;
    while (is_digit(bytes[past])) past++;
    return past > start && bytes[start] != '0' && bytes[past] == '}' ? past + 1 : 0;
}

// What is equal was valid in the former document, and everything else is digits.
bool csimdjson_parser::repeats_former(const uint8_t *buffer, size_t size) {
    if (former_places.count == 0 || size >= (size_t(1) << 31) || buffer[0] != '[') return false;
    places.reserve(size);
    bytes = buffer;
    length = uint32_t(size);
    uint32_t position = 1;
    for (uint32_t each = 0; each < former_places.count; each++) {
        if (each > 0 && bytes[position++] != ',') return false;
        Place place = former_places.all[each];
        places.add({position, position + place.time - place.start});
        position = after_repeated(position, place);
        if (position == 0) return false;
    }
    return bytes[position] == ']' && position + 1 == length && places.count == former_places.count;
}

inline csimdjson_slice csimdjson_parser::time_in_repetition(uint32_t each) const {
    uint32_t start = places.all[each].time;
    // Nothing but a comma separates it from the next one, and a bracket follows the last.
    uint32_t past = (each + 1 < places.count ? places.all[each + 1].start : length) - 2;
    return {start, past - start, CSIMDJSON_KIND_NUMBER};
}

int csimdjson_parser::read_next_of_repetition(csimdjson_ticker *ticker) {
    if (number == places.count) return CSIMDJSON_NEXT_END;
    ticker->at = time_in_repetition(number++);
    return CSIMDJSON_NEXT_REPEATED;
}

uint32_t csimdjson_parser::pass_repeated() {
    if (!is_repetition || number == 0) return 0;
    uint32_t first = number;
    csimdjson_slice time = time_in_repetition(number - 1);
    for (; number < places.count; number++) {
        csimdjson_slice other = time_in_repetition(number);
        if (other.length != time.length || !are_same(bytes + other.offset, bytes + time.offset, time.length)) break;
    }
    return number - first;
}

// Reads an element that is the former document's at `place` but for its time. Returns false for any other, without
// moving.
inline bool csimdjson_parser::read_repeated(csimdjson_ticker *ticker, Place place) {
    if (end - next <= token_count) return false;
    uint32_t past = after_repeated(position(next), place);
    if (past == 0 || position(next + token_count - 1) != past - 1) return false;
    uint32_t start = position(next) + place.time - place.start;
    ticker->at = {start, past - 1 - start, CSIMDJSON_KIND_NUMBER};
    next += token_count;
    return true;
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
// number of tokens.
inline bool csimdjson_parser::read_documented(csimdjson_ticker *ticker) {
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
    if (is_repetition) return read_next_of_repetition(ticker);
    if (next >= end) return CSIMDJSON_NEXT_END;
    uint32_t first = next;
    uint32_t start = position(first);
    bool is_repeated = number < former_places.count && read_repeated(ticker, former_places.all[number]);
    number++;
    bool is_documented = is_repeated || read_documented(ticker);
    bool is_good =
        is_documented || read_object(keys, field_count, reinterpret_cast<csimdjson_slice *>(ticker));
    places.add({start, is_documented ? ticker->at.offset : start});
    if (!is_good || (at(next) != ',' && at(next) != ']')) {
        is_good = false;
        next = first;
        if (!skip_region(']')) return CSIMDJSON_NEXT_LOST;
    }
    if (clean && is_changed(first, next)) is_good = false;
    uint8_t separator = at(next++);
    if (separator == ']' ? next != end : next >= end) return CSIMDJSON_NEXT_LOST;
    if (separator == ',' && at(next) == ']') return CSIMDJSON_NEXT_LOST;
    if (!is_good) return CSIMDJSON_NEXT_BAD;
    return is_repeated ? CSIMDJSON_NEXT_REPEATED : CSIMDJSON_NEXT_GOOD;
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

int csimdjson_begin(csimdjson_parser *parser, const uint8_t *buffer, size_t length, const uint8_t *former) {
    return parser->begin(buffer, length, former);
}

int csimdjson_next(csimdjson_parser *parser, csimdjson_ticker *ticker, csimdjson_values *values) {
    int result = parser->read_next(ticker);
    if (result == CSIMDJSON_NEXT_GOOD) parser->read_values(*ticker, values);
    if (result == CSIMDJSON_NEXT_REPEATED) parser->read_time(*ticker, values);
    return result;
}

uint32_t csimdjson_pass_repeated(csimdjson_parser *parser) { return parser->pass_repeated(); }

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
