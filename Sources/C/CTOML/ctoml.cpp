#include "ctoml.h"

// toml++ is compiled here, because the library of the distribution needs the shared C++ library.
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
// Without this option, toml++ reads numbers from streams, which link the locales of the C++ library: 330 kB.
#define TOML_FLOAT_CHARCONV 1
// Malformed documents violate the assertions of toml++, which reports the errors right after them. With NDEBUG, toml++
// would turn the assertions into assumptions for clang, which could then optimize the error reports away.
#undef NDEBUG
#define TOML_ASSERT(condition) static_assert(true)
#include <toml++/toml.h>

#include <malloc.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

struct ctoml_document {
    toml::table root;
    std::vector<ctoml_node> nodes;
    std::string error;
    ctoml_position error_position{};
};

namespace {

// Tables are destroyed recursively, and toml++ limits the nesting of values but not the parts of a key. With these
// limits, a document is at most 32 × 16 + 16 = 528 levels deep. At about 500 bytes per level, this needs a quarter of
// a megabyte of stack.
constexpr size_t maximum_brackets = 32;
constexpr size_t maximum_key_parts = 16;

/// Checks the nesting of a document before it is parsed, by counting brackets and dots in keys outside strings and
/// comments.
class depth_check {
public:
    explicit depth_check(std::string_view text) : text(text) {}

    /// Returns the position of the first bracket or dot that nests too deeply, or `npos`.
    size_t first_excess() {
        while (offset < text.size()) {
            if (step()) return offset;
        }
        return std::string_view::npos;
    }

private:
    std::string_view text;
    size_t offset = 0;
    size_t brackets = 0;
    size_t dots = 0;

    bool step() {
        switch (text[offset]) {
        case '#': offset = std::min(text.find('\n', offset), text.size()); return false;
        case '"':
        case '\'': skip_string(); return false;
        case '.':
            if (++dots >= maximum_key_parts) return true;
            break;
        case '[':
        case '{':
            dots = 0;
            if (++brackets > maximum_brackets) return true;
            break;
        case ']':
        case '}':
            dots = 0;
            if (brackets > 0) --brackets;
            break;
        case '=':
        case ',':
        case '\n': dots = 0; break;
        default: break;
        }
        ++offset;
        return false;
    }

    void skip_string() {
        const char quote = text[offset];
        const std::string three(3, quote);
        const bool is_long = text.substr(offset, 3) == three;
        offset += is_long ? 3 : 1;
        while (offset < text.size()) {
            const char byte = text[offset];
            if (byte == '\\' && quote == '"') {
                offset += 2;
            } else if (byte == '\n' && !is_long) {
                return;
            } else if (byte == quote && (!is_long || text.substr(offset, 3) == three)) {
                offset += is_long ? 3 : 1;
                // Up to two more quotes may precede the three that end a multi-line string.
                while (is_long && offset < text.size() && text[offset] == quote) ++offset;
                return;
            } else {
                ++offset;
            }
        }
        offset = text.size();
    }
};

ctoml_position position_of(std::string_view text, size_t offset) {
    const std::string_view before = text.substr(0, offset);
    const size_t newline = before.rfind('\n');
    const std::string_view line = newline == std::string_view::npos ? before : before.substr(newline + 1);
    const auto is_start = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; };
    return {static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n') + 1),
            static_cast<uint32_t>(std::count_if(line.begin(), line.end(), is_start) + 1)};
}

ctoml_position position_of(const toml::source_region &region) {
    return {region.begin.line, region.begin.column};
}

ctoml_text text_of(std::string_view text) {
    return {text.data(), text.size()};
}

void describe(const toml::node &source, ctoml_node &node) {
    switch (source.type()) {
    case toml::node_type::table: node.kind = CTOML_TABLE; break;
    case toml::node_type::array: node.kind = CTOML_ARRAY; break;
    case toml::node_type::string:
        node.kind = CTOML_STRING;
        node.string = text_of(source.as_string()->get());
        break;
    case toml::node_type::integer:
        node.kind = CTOML_INTEGER;
        node.integer = source.as_integer()->get();
        break;
    case toml::node_type::floating_point: node.kind = CTOML_FLOAT; break;
    case toml::node_type::boolean:
        node.kind = CTOML_BOOLEAN;
        node.boolean = source.as_boolean()->get();
        break;
    default: node.kind = CTOML_DATE_TIME; break;
    }
}

void append(std::vector<ctoml_node> &nodes, const toml::node &source, const toml::key *key) {
    ctoml_node node{};
    describe(source, node);
    node.position = position_of(source.source());
    node.end = {source.source().end.line, source.source().end.column};
    if (key) {
        node.key = text_of(key->str());
        node.key_position = position_of(key->source());
    }
    if (const toml::table *table = source.as_table()) {
        node.child_count = table->size();
        nodes.push_back(node);
        for (auto &&[name, value] : *table) append(nodes, value, &name);
    } else if (const toml::array *array = source.as_array()) {
        node.child_count = array->size();
        node.is_table_array = array->is_array_of_tables();
        nodes.push_back(node);
        for (auto &&value : *array) append(nodes, value, nullptr);
    } else {
        nodes.push_back(node);
    }
}

void parse(ctoml_document &document, std::string_view text) {
    depth_check check(text);
    const size_t excess = check.first_excess();
    if (excess != std::string_view::npos) {
        document.error = "nested too deeply; at most 32 brackets and 16 parts of a key are accepted";
        document.error_position = position_of(text, excess);
        return;
    }
    document.root = toml::parse(text);
    append(document.nodes, document.root, nullptr);
}

}  // namespace

extern "C" ctoml_document *ctoml_parse(const char *bytes, size_t count) {
    auto *document = new (std::nothrow) ctoml_document;
    if (!document) return nullptr;
    try {
        try {
            parse(*document, std::string_view(count ? bytes : "", count));
        } catch (const toml::parse_error &error) {
            document->nodes.clear();
            document->error = error.description();
            document->error_position = position_of(error.source());
        } catch (const std::exception &error) {
            document->nodes.clear();
            document->error = error.what();
        }
        if (document->nodes.empty() && document->error.empty()) document->error = "Cannot be parsed";
    } catch (...) {
        delete document;
        return nullptr;
    }
    return document;
}

extern "C" const ctoml_node *ctoml_nodes(const ctoml_document *document, size_t *count) {
    *count = document->nodes.size();
    return document->nodes.data();
}

extern "C" ctoml_text ctoml_error(const ctoml_document *document, ctoml_position *position) {
    *position = document->error_position;
    return text_of(document->error);
}

extern "C" void ctoml_free(ctoml_document *document) {
    delete document;
}

extern "C" void ctoml_trim_heap(void) {
    malloc_trim(0);
}
