#include "values.h"

#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

void read_nothing(const uint8_t *, const csimdjson_ticker &, csimdjson_values *values) {
    memset(values, 0, sizeof *values);
}

#if defined(__x86_64__)

#define SSSE3 __attribute__((target("ssse3")))

constexpr uint32_t widest = 16;

// From byte `n`: sixteen bytes that count up to n - 1, which are negative below 0.
alignas(32) constexpr int8_t counting[32] = {
    -16, -15, -14, -13, -12, -11, -10, -9, -8, -7, -6, -5, -4, -3, -2, -1,
    0,   1,   2,   3,   4,   5,   6,   7,  8,  9,  10, 11, 12, 13, 14, 15,
};

SSSE3 inline __m128i load(const void *bytes) { return _mm_loadu_si128(static_cast<const __m128i *>(bytes)); }

// Which of the bytes are `first` up to `first + span`.
SSSE3 inline __m128i are_within(__m128i bytes, char first, char span) {
    __m128i distance = _mm_sub_epi8(bytes, _mm_set1_epi8(first));
    return _mm_cmpeq_epi8(_mm_min_epu8(distance, _mm_set1_epi8(span)), distance);
}

// The number of sixteen digits of one byte each.
SSSE3 inline int64_t weigh(__m128i digits) {
    __m128i pairs = _mm_maddubs_epi16(digits, _mm_set1_epi16(0x010A));
    __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(0x00010064));
    __m128i eights = _mm_madd_epi16(_mm_packs_epi32(fours, fours), _mm_set1_epi32(0x00012710));
    uint64_t both = uint64_t(_mm_cvtsi128_si64(eights));
    return int64_t((both & 0xFFFFFFFF) * 100000000 + (both >> 32));
}

// Digits with at most one point between them. The shuffle moves the last digit to the end and closes the gap.
SSSE3 inline void read_decimal(const uint8_t *bytes, const csimdjson_slice &slice, csimdjson_decimal *decimal) {
    uint32_t count = slice.length;
    decimal->is_read = 0;
    if (slice.kind == CSIMDJSON_KIND_NONE || count - 1 >= widest) return;
    __m128i text = load(bytes + slice.offset);
    uint32_t all = (1u << count) - 1;
    uint32_t digits = uint32_t(_mm_movemask_epi8(are_within(text, '0', 9)));
    uint32_t points = uint32_t(_mm_movemask_epi8(_mm_cmpeq_epi8(text, _mm_set1_epi8('.')))) & all;
    bool is_plain = ((digits | points) & all) == all && (points & (points - 1)) == 0
        && (points & (1u | 1u << (count - 1))) == 0;
    if (!is_plain) return;
    int point = points ? __builtin_ctz(points) : -1;
    __m128i source = load(counting + count);
    __m128i is_fraction = _mm_cmpgt_epi8(source, _mm_set1_epi8(char(point)));
    source = _mm_sub_epi8(_mm_add_epi8(source, _mm_set1_epi8(-1)), is_fraction);
    decimal->mantissa = weigh(_mm_shuffle_epi8(_mm_sub_epi8(text, _mm_set1_epi8('0')), source));
    decimal->scale = points ? uint8_t(int(count) - 1 - point) : 0;
    decimal->is_read = 1;
}

// The letters a to z and digits of a name, the first in the most significant byte.
SSSE3 inline void read_name(const uint8_t *bytes, const csimdjson_slice &slice, csimdjson_name *name) {
    uint32_t count = slice.length;
    name->is_read = 0;
    if (slice.kind != CSIMDJSON_KIND_STRING || count - 1 >= widest) return;
    __m128i text = load(bytes + slice.offset);
    uint32_t all = (1u << count) - 1;
    __m128i are_valid = _mm_or_si128(are_within(text, 'a', 25), are_within(text, '0', 9));
    if ((uint32_t(_mm_movemask_epi8(are_valid)) & all) != all) return;
    const __m128i order = _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
    __m128i is_beyond = _mm_cmpgt_epi8(load(counting + widest), _mm_set1_epi8(char(count - 1)));
    __m128i words = _mm_shuffle_epi8(_mm_andnot_si128(is_beyond, text), order);
    _mm_storeu_si128(reinterpret_cast<__m128i *>(name->words), words);
    name->is_read = 1;
}

SSSE3 void read_numbers(const uint8_t *bytes, const csimdjson_ticker &ticker, csimdjson_values *values) {
    read_decimal(bytes, ticker.open_price, &values->open_price);
    read_decimal(bytes, ticker.low_price, &values->low_price);
    read_decimal(bytes, ticker.high_price, &values->high_price);
    read_decimal(bytes, ticker.last_price, &values->last_price);
    read_decimal(bytes, ticker.volume, &values->volume);
    read_decimal(bytes, ticker.bid_price, &values->bid_price);
    read_decimal(bytes, ticker.ask_price, &values->ask_price);
    read_decimal(bytes, ticker.at, &values->at);
}

SSSE3 void read_values(const uint8_t *bytes, const csimdjson_ticker &ticker, csimdjson_values *values) {
    read_name(bytes, ticker.symbol, &values->symbol);
    read_name(bytes, ticker.base_asset, &values->base_asset);
    read_name(bytes, ticker.quote_asset, &values->quote_asset);
    read_numbers(bytes, ticker, values);
}

SSSE3 void read_time(const uint8_t *bytes, const csimdjson_ticker &ticker, csimdjson_values *values) {
    read_decimal(bytes, ticker.at, &values->at);
}

#undef SSSE3

#endif

}  // namespace

ValueReader value_reader() noexcept {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("ssse3")) return read_values;
#endif
    return read_nothing;
}

ValueReader number_reader() noexcept {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("ssse3")) return read_numbers;
#endif
    return read_nothing;
}

ValueReader time_reader() noexcept {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("ssse3")) return read_time;
#endif
    return read_nothing;
}
