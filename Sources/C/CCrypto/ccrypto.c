#include "ccrypto.h"

#include <limits.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

bool alertd_hmac_sha256(
    const uint8_t *key, size_t key_count, const uint8_t *text, size_t text_count,
    uint8_t code[ALERTD_SHA256_BYTES]
) {
    if (key_count > INT_MAX) return false;
    unsigned int count = 0;
    const uint8_t *result = HMAC(EVP_sha256(), key, (int)key_count, text, text_count, code, &count);
    return result && count == ALERTD_SHA256_BYTES;
}
