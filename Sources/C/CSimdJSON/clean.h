#pragma once

#include <cstdint>

// Writes '?' over every byte that is no part of valid UTF-8, and over control characters inside strings. Bytes of ASCII
// outside strings stay, so that the structure of the document stays.
void replace_invalid_bytes(uint8_t *bytes, uint32_t length) noexcept;
