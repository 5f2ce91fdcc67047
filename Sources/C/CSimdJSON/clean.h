#pragma once

#include <cstdint>

// Replaces bytes that are not valid UTF-8, and control characters in strings, with '?'. ASCII bytes outside strings are
// kept, and with them the structure of the document.
void replace_invalid_bytes(uint8_t *bytes, uint32_t length) noexcept;
