#pragma once

#include <cstdint>

// Replaces bytes that are not valid UTF-8, and control characters in strings, with '?'. ASCII bytes outside strings,
// and so the structure of the document, stay unchanged.
void replace_invalid_bytes(uint8_t *bytes, uint32_t length) noexcept;
