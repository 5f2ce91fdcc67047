// A wrapper for OpenSSL's libcrypto.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The length of a SHA-256 hash, in bytes.
#define ALERTD_SHA256_BYTES 32

// Computes the HMAC-SHA256 of a text (RFC 2104). The key must be shorter than 2 GiB. Returns false if libcrypto fails.
bool alertd_hmac_sha256(
    const uint8_t *key, size_t key_count, const uint8_t *text, size_t text_count,
    uint8_t code[ALERTD_SHA256_BYTES]);
