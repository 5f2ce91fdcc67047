#pragma once

#include "csimdjson.h"

// Reads the values of a ticker's fields, sixteen bytes at a time. Every slice must be followed by at least sixteen
// bytes that can be read.
using ValueReader = void (*)(const uint8_t *bytes, const csimdjson_ticker &ticker, csimdjson_values *values);

// The reader for this processor. Where there is none it reads nothing, and the caller takes the text.
ValueReader value_reader() noexcept;

// The same for the numbers alone: the names are not touched.
ValueReader number_reader() noexcept;

// The same for the time alone: everything else is not touched.
ValueReader time_reader() noexcept;
