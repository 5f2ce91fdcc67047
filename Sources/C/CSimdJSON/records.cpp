#include "records.h"

#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <simdjson.h>

#include "structure.h"

namespace {

constexpr size_t field_count = CSIMDJSON_RECORD_FIELDS;
// The maximum number of steps in a pointer.
constexpr size_t most_steps = 8;
constexpr uint16_t no_node = UINT16_MAX;
constexpr uint8_t no_field = UINT8_MAX;
// The number of member names of an object that are remembered from one element to the next.
constexpr uint32_t remembered_count = 32;

static_assert(sizeof(csimdjson_ticker) == (field_count - 1) * sizeof(csimdjson_slice), "fields follow one another");
static_assert(field_count <= 32, "the fields that were seen are bits of a number");

// A node in the tree of pointers to fields: a field, or a step on the way to fields.
struct Node {
    std::string name;
    // The name as a position in an array, or -1.
    int64_t position = -1;
    uint16_t child = no_node;
    uint16_t sibling = no_node;
    uint8_t field = no_field;
};

int64_t array_position(const std::string &name) {
    if (name.empty() || name.size() > 9 || (name[0] == '0' && name.size() > 1)) return -1;
    int64_t position = 0;
    for (char digit : name) {
        if (!is_digit(uint8_t(digit))) return -1;
        position = position * 10 + (digit - '0');
    }
    return position;
}

// Splits a pointer at its slashes and decodes ~0 and ~1. Returns false if it is not a valid pointer.
bool split(const char *text, size_t length, std::vector<std::string> *steps) {
    steps->clear();
    if (length == 0) return true;
    if (text[0] != '/') return false;
    for (size_t place = 0; place < length; place++) {
        char byte = text[place];
        if (byte == '/') {
            if (steps->size() == most_steps) return false;
            steps->emplace_back();
            continue;
        }
        if (byte == '~') {
            if (++place == length || (text[place] != '0' && text[place] != '1')) return false;
            byte = text[place] == '0' ? '~' : '/';
        }
        if (steps->back().size() == CSIMDJSON_POINTER_STEP) return false;
        steps->back().push_back(byte);
    }
    return true;
}

}  // namespace

struct csimdjson_records : private Structure {
    csimdjson_records() { nodes.emplace_back(); }

    bool set_list(const char *pointer, size_t length, bool is_object);
    bool add_field(size_t field, const char *pointer, size_t length);
    int begin(uint8_t *buffer, size_t size);
    int read_next(csimdjson_record *record);

    // The text of the last element.
    csimdjson_slice element = {0, 0, CSIMDJSON_KIND_NONE};

private:
    // The name of a member in the last element, and its node.
    struct Remembered {
        uint32_t offset;
        uint32_t length;
        uint16_t node;
    };

    std::vector<Node> nodes;
    std::vector<std::string> path;
    bool has_list = false;
    // The closing characters of the containers around the list, outermost first.
    uint8_t closers[most_steps];
    uint32_t depth = 0;
    uint8_t list_closer = 0;
    bool is_finished = false;
    csimdjson_slice fields[field_count];
    uint32_t seen = 0;
    Remembered remembered[remembered_count];
    uint32_t remembered_end = 0;

    uint16_t child(uint16_t parent, const std::string &name);
    int move_to_list();
    bool move_to_member(const std::string &name);
    bool move_to_element(int64_t position);
    bool finish();
    bool read_element(csimdjson_slice *key);
    bool read_node(uint16_t number, int depth);
    bool read_members(uint16_t node, int depth);
    bool read_positions(uint16_t node, int depth);
    uint16_t find(uint16_t parent, const csimdjson_slice &key) const;
    uint16_t find_remembered(uint32_t place, const csimdjson_slice &key);
};

bool csimdjson_records::set_list(const char *pointer, size_t length, bool is_object) {
    has_list = true;
    list_closer = is_object ? '}' : ']';
    return split(pointer, length, &path);
}

uint16_t csimdjson_records::child(uint16_t parent, const std::string &name) {
    uint16_t last = no_node;
    for (uint16_t node = nodes[parent].child; node != no_node; node = nodes[node].sibling) {
        if (nodes[node].name == name) return node;
        last = node;
    }
    Node node;
    node.name = name;
    node.position = array_position(name);
    uint16_t number = uint16_t(nodes.size());
    nodes.push_back(node);
    (last == no_node ? nodes[parent].child : nodes[last].sibling) = number;
    return number;
}

bool csimdjson_records::add_field(size_t field, const char *pointer, size_t length) {
    std::vector<std::string> steps;
    if (field >= field_count || !split(pointer, length, &steps)) return false;
    uint16_t node = 0;
    for (const std::string &step : steps) node = child(node, step);
    if (nodes[node].field != no_field) return false;
    nodes[node].field = uint8_t(field);
    return true;
}

int csimdjson_records::begin(uint8_t *buffer, size_t size) {
    is_finished = false;
    remembered_end = 0;
    int result = open(buffer, size);
    if (result != CSIMDJSON_ARRAY && result != CSIMDJSON_OBJECT) return result;
    return has_list ? move_to_list() : int(CSIMDJSON_ARRAY);
}

int csimdjson_records::move_to_list() {
    depth = 0;
    for (const std::string &name : path) {
        uint8_t opening = at(next);
        if (opening == '{' ? !move_to_member(name) : opening != '[' || !move_to_element(array_position(name))) {
            return CSIMDJSON_OBJECT;
        }
        closers[depth++] = opening + 2;
    }
    if (at(next) != list_closer - 2) return CSIMDJSON_OBJECT;
    if (at(++next) != list_closer) return CSIMDJSON_ARRAY;
    next++;
    return finish() ? CSIMDJSON_EMPTY_ARRAY : CSIMDJSON_LOST;
}

// Moves from an opening brace to the value of the member. Returns false if it is not found before the end of the
// object or a syntax error.
bool csimdjson_records::move_to_member(const std::string &name) {
    csimdjson_slice slice;
    do {
        next++;
        if (at(next) != '"' || !read_text(next++, &slice) || at(next++) != ':') return false;
        if (slice.length == name.size() && memcmp(bytes + slice.offset, name.data(), name.size()) == 0) return true;
        if (!read_value(&slice, value_depth)) return false;
    } while (at(next) == ',');
    return false;
}

bool csimdjson_records::move_to_element(int64_t position) {
    csimdjson_slice slice;
    if (position < 0) return false;
    for (next++; position > 0; position--) {
        if (!read_value(&slice, value_depth) || at(next++) != ',') return false;
    }
    return at(next) != ']';
}

// Reads the rest of the document after the list.
bool csimdjson_records::finish() {
    csimdjson_slice ignored;
    is_finished = true;
    while (depth > 0) {
        uint8_t closer = closers[--depth];
        while (at(next) == ',') {
            next++;
            if (closer == '}' && (at(next) != '"' || !read_text(next++, &ignored) || at(next++) != ':')) return false;
            if (!read_value(&ignored, value_depth)) return false;
        }
        if (at(next++) != closer) return false;
    }
    return next == end;
}

int csimdjson_records::read_next(csimdjson_record *record) {
    if (is_finished) return CSIMDJSON_NEXT_END;
    uint32_t first = next;
    memset(record, 0, sizeof *record);
    bool is_good = read_element(&record->key);
    if (!has_list) {
        is_finished = true;
        if (!is_good || next != end) return CSIMDJSON_NEXT_LOST;
    } else if (!is_good || (at(next) != ',' && at(next) != list_closer)) {
        is_good = false;
        next = first;
        if (!skip_region(list_closer)) return CSIMDJSON_NEXT_LOST;
    }
    if (clean && is_changed(first, next)) is_good = false;
    element = {position(first), position(next) - position(first), CSIMDJSON_KIND_NONE};
    if (has_list) {
        bool is_last = at(next++) == list_closer;
        if (is_last ? !finish() : at(next) == list_closer) return CSIMDJSON_NEXT_LOST;
    }
    if (!is_good) return CSIMDJSON_NEXT_BAD;
    memcpy(&record->ticker, fields, sizeof record->ticker);
    record->detail = fields[field_count - 1];
    return CSIMDJSON_NEXT_GOOD;
}

bool csimdjson_records::read_element(csimdjson_slice *key) {
    memset(fields, 0, sizeof fields);
    seen = 0;
    if (has_list && list_closer == '}') {
        if (at(next) != '"' || !read_text(next++, key) || at(next++) != ':') return false;
    }
    return read_node(0, value_depth);
}

// Reads the value at `next` and the fields in it.
inline bool csimdjson_records::read_node(uint16_t number, int depth) {
    const Node &node = nodes[number];
    uint8_t opening = at(next);
    if (node.child != no_node && (opening == '{' || opening == '[')) {
        if (depth == 0) return false;
        return opening == '{' ? read_members(number, depth - 1) : read_positions(number, depth - 1);
    }
    csimdjson_slice value = {0, 0, CSIMDJSON_KIND_NONE};
    if (!read_value(&value, depth)) return false;
    if (node.field != no_field && !(seen & (1u << node.field))) {
        seen |= 1u << node.field;
        fields[node.field] = value;
    }
    return true;
}

bool csimdjson_records::read_members(uint16_t node, int depth) {
    csimdjson_slice ignored;
    csimdjson_slice key;
    next++;
    if (at(next) == '}') return ++next, true;
    for (uint32_t place = 0;; place++) {
        if (at(next) != '"' || !read_text(next++, &key) || at(next++) != ':') return false;
        uint16_t member = node == 0 ? find_remembered(place, key) : find(node, key);
        if (member == no_node ? !read_value(&ignored, depth) : !read_node(member, depth)) return false;
        uint8_t separator = at(next++);
        if (separator == '}') return true;
        if (separator != ',') return false;
    }
}

bool csimdjson_records::read_positions(uint16_t node, int depth) {
    csimdjson_slice ignored;
    next++;
    if (at(next) == ']') return ++next, true;
    for (int64_t position = 0;; position++) {
        uint16_t element = nodes[node].child;
        while (element != no_node && nodes[element].position != position) element = nodes[element].sibling;
        if (element == no_node ? !read_value(&ignored, depth) : !read_node(element, depth)) return false;
        uint8_t separator = at(next++);
        if (separator == ']') return true;
        if (separator != ',') return false;
    }
}

uint16_t csimdjson_records::find(uint16_t parent, const csimdjson_slice &key) const {
    if (key.kind != CSIMDJSON_KIND_STRING) return no_node;
    for (uint16_t node = nodes[parent].child; node != no_node; node = nodes[node].sibling) {
        const std::string &name = nodes[node].name;
        if (name.size() == key.length && memcmp(name.data(), bytes + key.offset, key.length) == 0) return node;
    }
    return no_node;
}

// Like `find`, but faster for the members of an element, which are nearly always those of the previous element.
inline uint16_t csimdjson_records::find_remembered(uint32_t place, const csimdjson_slice &key) {
    if (place < remembered_end) {
        const Remembered &last = remembered[place];
        if (last.length == key.length && memcmp(bytes + key.offset, bytes + last.offset, key.length) == 0) {
            return last.node;
        }
    }
    uint16_t node = find(0, key);
    if (place <= remembered_end && place < remembered_count && key.kind == CSIMDJSON_KIND_STRING) {
        remembered[place] = {key.offset, key.length, node};
        if (place == remembered_end) remembered_end++;
    }
    return node;
}

namespace {

int64_t length_of(simdjson::ondemand::value value) {
    simdjson::ondemand::json_type type;
    if (value.type().get(type)) return -1;
    int64_t sum = 0;
    if (type == simdjson::ondemand::json_type::object) {
        simdjson::ondemand::object object;
        if (value.get_object().get(object)) return -1;
        for (auto member : object) {
            simdjson::ondemand::value inner;
            if (member.value().get(inner)) return -1;
            int64_t length = length_of(inner);
            if (length < 0) return -1;
            sum += length;
        }
    } else if (type == simdjson::ondemand::json_type::array) {
        simdjson::ondemand::array array;
        if (value.get_array().get(array)) return -1;
        for (auto element : array) {
            simdjson::ondemand::value inner;
            if (element.get(inner)) return -1;
            int64_t length = length_of(inner);
            if (length < 0) return -1;
            sum += length;
        }
    } else if (type == simdjson::ondemand::json_type::string) {
        std::string_view text;
        if (value.get_string().get(text)) return -1;
        sum = int64_t(text.size());
    } else {
        sum = int64_t(value.raw_json_token().size());
    }
    return sum;
}

}  // namespace

csimdjson_records *csimdjson_records_new(void) {
    try {
        return new csimdjson_records;
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

void csimdjson_records_free(csimdjson_records *records) { delete records; }

int csimdjson_records_set_list(csimdjson_records *records, const char *pointer, size_t length, int is_object) {
    try {
        return records->set_list(pointer, length, is_object != 0);
    } catch (const std::bad_alloc &) {
        return false;
    }
}

int csimdjson_records_add_field(csimdjson_records *records, size_t field, const char *pointer, size_t length) {
    try {
        return records->add_field(field, pointer, length);
    } catch (const std::bad_alloc &) {
        return false;
    }
}

int csimdjson_records_begin(csimdjson_records *records, uint8_t *buffer, size_t length) {
    return records->begin(buffer, length);
}

int csimdjson_records_next(csimdjson_records *records, csimdjson_record *record) { return records->read_next(record); }

csimdjson_slice csimdjson_records_element(const csimdjson_records *records) { return records->element; }

int64_t csimdjson_read_everything(const uint8_t *buffer, size_t length) {
    static thread_local simdjson::ondemand::parser parser;
    simdjson::ondemand::document document;
    simdjson::ondemand::value value;
    if (parser.iterate(buffer, length, length + CSIMDJSON_PADDING).get(document)) return -1;
    if (document.get_value().get(value)) return -1;
    return length_of(value);
}
