// expat, a streaming XML parser.
#pragma once
#include <expat.h>
#include <stdint.h>

// Position of the parser, counted from 1 and from 0; 0 also after an error. Expat 2.8 replaced these functions by ones
// for 64 bits and deprecated the former, which are all that Debian 12 has.
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 8
static inline uint64_t alertd_xml_line(XML_Parser parser) { return XML_GetCurrentLineNumber64(parser); }
static inline uint64_t alertd_xml_column(XML_Parser parser) { return XML_GetCurrentColumnNumber64(parser); }
#else
static inline uint64_t alertd_xml_line(XML_Parser parser) { return XML_GetCurrentLineNumber(parser); }
static inline uint64_t alertd_xml_column(XML_Parser parser) { return XML_GetCurrentColumnNumber(parser); }
#endif
