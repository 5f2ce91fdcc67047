#include "ccrypto.h"

#include <dlfcn.h>
#include <limits.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

// OpenSSL 3, which Debian has had since version 12.
static const char library_name[] = "libcrypto.so.3";

static struct {
    __typeof__(&EVP_sha256) EVP_sha256;
    __typeof__(&HMAC) HMAC;
} library;

static bool load(void) {
    void *handle = dlopen(library_name, RTLD_LAZY | RTLD_LOCAL);
    if (!handle) return false;
    *(void **)&library.EVP_sha256 = dlsym(handle, "EVP_sha256");
    *(void **)&library.HMAC = dlsym(handle, "HMAC");
    return library.EVP_sha256 && library.HMAC;
}

// Everything happens on one thread, but tests run side by side.
static bool is_loaded(void) {
    static int state;
    static volatile char lock;
    while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE)) {}
    if (state == 0) state = load() ? 1 : -1;
    bool result = state > 0;
    __atomic_clear(&lock, __ATOMIC_RELEASE);
    return result;
}

bool alertd_hmac_sha256(
    const uint8_t *key, size_t key_count, const uint8_t *text, size_t text_count,
    uint8_t code[ALERTD_SHA256_BYTES]
) {
    if (key_count > INT_MAX || !is_loaded()) return false;
    unsigned int count = 0;
    const uint8_t *result =
        library.HMAC(library.EVP_sha256(), key, (int)key_count, text, text_count, code, &count);
    return result && count == ALERTD_SHA256_BYTES;
}
