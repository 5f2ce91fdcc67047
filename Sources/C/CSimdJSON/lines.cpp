#include "lines.h"

#include <new>

#include "structure.h"

struct csimdjson_lines : private Structure {
    bool add_member(const char *name, size_t size);
    bool begin(const uint8_t *text, size_t size);
    bool read(size_t start, size_t past, csimdjson_slice *values);

private:
    struct Member {
        char name[16];
        uint32_t length;
    };

    Member members[CSIMDJSON_LINE_MEMBERS];
    size_t member_count = 0;
    std::unique_ptr<uint8_t[]> text;
    size_t capacity = 0;

    bool read_object(size_t past, csimdjson_slice *values);
    bool read_member(csimdjson_slice *value);
    size_t find(const csimdjson_slice &key) const;
};

bool csimdjson_lines::add_member(const char *name, size_t size) {
    if (member_count == CSIMDJSON_LINE_MEMBERS || size == 0 || size > sizeof members[0].name) return false;
    memcpy(members[member_count].name, name, size);
    members[member_count++].length = uint32_t(size);
    return true;
}

bool csimdjson_lines::begin(const uint8_t *source, size_t size) {
    next = end = 0;
    if (size >= size_t(1) << 31) return false;
    if (size + CSIMDJSON_PADDING > capacity) {
        text.reset(new (std::nothrow) uint8_t[size + CSIMDJSON_PADDING]);
        capacity = text ? size + CSIMDJSON_PADDING : 0;
        if (!text) return false;
    }
    memcpy(text.get(), source, size);
    memset(text.get() + size, 0, CSIMDJSON_PADDING);
    return open_lines(text.get(), size);
}

bool csimdjson_lines::read(size_t start, size_t past, csimdjson_slice *values) {
    memset(values, 0, member_count * sizeof *values);
    while (next < end && position(next) < start) next++;
    uint32_t first = next;
    // A line break is white space in JSON, so check that the object also ends on this line.
    if (past <= length && read_object(past, values) && (next == end || position(next) >= past)) return true;
    for (next = first; next < end && position(next) < past;) next++;
    return false;
}

bool csimdjson_lines::read_object(size_t past, csimdjson_slice *values) {
    csimdjson_slice key;
    csimdjson_slice value;
    if (next == end || at(next++) != '{') return false;
    if (at(next) == '}') return position(next++) < past;
    while (true) {
        if (at(next) != '"' || !read_text(next++, &key) || at(next++) != ':' || !read_member(&value)) return false;
        size_t member = find(key);
        if (member < member_count && values[member].kind == CSIMDJSON_KIND_NONE) values[member] = value;
        uint8_t separator = at(next++);
        if (separator == '}') return position(next - 1) < past;
        if (separator != ',') return false;
    }
}

bool csimdjson_lines::read_member(csimdjson_slice *value) {
    uint32_t token = next;
    *value = {0, 0, CSIMDJSON_KIND_NONE};
    if (!read_value(value, value_depth)) return false;
    if (at(token) == 't') value->kind = CSIMDJSON_KIND_TRUE;
    return true;
}

// Returns the number of the member with this key, or `member_count` if there is none.
size_t csimdjson_lines::find(const csimdjson_slice &key) const {
    if (key.kind != CSIMDJSON_KIND_STRING) return member_count;
    size_t member = 0;
    while (member < member_count
           && (key.length != members[member].length
               || memcmp(bytes + key.offset, members[member].name, key.length) != 0)) {
        member++;
    }
    return member;
}

csimdjson_lines *csimdjson_lines_new(void) { return new (std::nothrow) csimdjson_lines; }

void csimdjson_lines_free(csimdjson_lines *lines) { delete lines; }

int csimdjson_lines_add_member(csimdjson_lines *lines, const char *name, size_t length) {
    return lines->add_member(name, length);
}

int csimdjson_lines_begin(csimdjson_lines *lines, const uint8_t *text, size_t length) {
    return lines->begin(text, length);
}

int csimdjson_lines_read(csimdjson_lines *lines, size_t start, size_t end, csimdjson_slice *values) {
    return lines->read(start, end, values);
}
