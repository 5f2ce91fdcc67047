// expat, a streaming XML parser.
#pragma once
#include <expat.h>
#include <stdint.h>

// The position of the parser: lines are counted from 1 and columns from 0. After an error, both may be 0. Expat 2.8
// deprecated the old functions in favour of 64-bit variants, but Debian 12 has only the old ones.
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 8
static inline uint64_t alertd_xml_line(XML_Parser parser) { return XML_GetCurrentLineNumber64(parser); }
static inline uint64_t alertd_xml_column(XML_Parser parser) { return XML_GetCurrentColumnNumber64(parser); }
#else
static inline uint64_t alertd_xml_line(XML_Parser parser) { return XML_GetCurrentLineNumber(parser); }
static inline uint64_t alertd_xml_column(XML_Parser parser) { return XML_GetCurrentColumnNumber(parser); }
#endif
