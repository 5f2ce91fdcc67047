#include "ctls.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <limits.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>

// OpenSSL 3, which Debian has had since version 12.
static const char library_name[] = "libssl.so.3";

// What is in libcrypto is found as well, because libssl needs it.
#define FUNCTIONS(F)                  \
    F(BIO_ctrl_pending)               \
    F(BIO_free)                       \
    F(BIO_new)                        \
    F(BIO_read)                       \
    F(BIO_s_mem)                      \
    F(BIO_write)                      \
    F(ERR_clear_error)                \
    F(ERR_error_string_n)             \
    F(ERR_peek_last_error)            \
    F(SSL_CTX_ctrl)                   \
    F(SSL_CTX_free)                   \
    F(SSL_CTX_load_verify_file)       \
    F(SSL_CTX_new)                    \
    F(SSL_CTX_set_default_verify_paths) \
    F(SSL_CTX_set_verify)             \
    F(SSL_ctrl)                       \
    F(SSL_do_handshake)               \
    F(SSL_free)                       \
    F(SSL_get0_param)                 \
    F(SSL_get_error)                  \
    F(SSL_get_verify_result)          \
    F(SSL_new)                        \
    F(SSL_read)                       \
    F(SSL_set1_host)                  \
    F(SSL_set_bio)                    \
    F(SSL_set_connect_state)          \
    F(SSL_write)                      \
    F(TLS_client_method)              \
    F(X509_VERIFY_PARAM_set1_ip_asc)  \
    F(X509_verify_cert_error_string)

// Each function under its own name, and thereby with its own type.
#define MEMBER(name) __typeof__(&(name)) name;
static struct {
    FUNCTIONS(MEMBER)
} library;

struct alertd_tls {
    SSL_CTX *context;
    SSL *session;
    // From the server, and to it; both belong to the session.
    BIO *input;
    BIO *output;
};

static bool load(void) {
    void *handle = dlopen(library_name, RTLD_LAZY | RTLD_LOCAL);
    bool has_all = handle != NULL;
#define FIND(name) has_all = has_all && (*(void **)&library.name = dlsym(handle, #name)) != NULL;
    FUNCTIONS(FIND)
    return has_all;
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

static void explain(char reason[ALERTD_TLS_REASON_BYTES], const char *text) {
    snprintf(reason, ALERTD_TLS_REASON_BYTES, "%s", text);
}

// The certificate is what people can do something about, so it comes before OpenSSL's general words.
static enum alertd_tls_state fail(alertd_tls *session, char reason[ALERTD_TLS_REASON_BYTES]) {
    long verified = library.SSL_get_verify_result(session->session);
    if (verified != X509_V_OK) {
        snprintf(
            reason, ALERTD_TLS_REASON_BYTES, "the certificate is not trusted: %s",
            library.X509_verify_cert_error_string(verified));
    } else {
        unsigned long error = library.ERR_peek_last_error();
        if (error) {
            library.ERR_error_string_n(error, reason, ALERTD_TLS_REASON_BYTES);
        } else {
            explain(reason, "the connection was not encrypted as agreed");
        }
    }
    return ALERTD_TLS_FAILED;
}

// What a result below 1 of one of OpenSSL's functions means.
static enum alertd_tls_state state(alertd_tls *session, int result, char reason[ALERTD_TLS_REASON_BYTES]) {
    switch (library.SSL_get_error(session->session, result)) {
    case SSL_ERROR_WANT_READ: return ALERTD_TLS_WAITS;
    case SSL_ERROR_ZERO_RETURN: return ALERTD_TLS_ENDED;
    default: return fail(session, reason);
    }
}

static bool trust(SSL_CTX *context, const char *authorities) {
    return (authorities ? library.SSL_CTX_load_verify_file(context, authorities)
                        : library.SSL_CTX_set_default_verify_paths(context))
        == 1;
}

// The name or address that the certificate has to be for.
static bool expect(SSL *session, const char *host) {
    unsigned char address[sizeof(struct in6_addr)];
    if (inet_pton(AF_INET, host, address) == 1 || inet_pton(AF_INET6, host, address) == 1) {
        return library.X509_VERIFY_PARAM_set1_ip_asc(library.SSL_get0_param(session), host) == 1;
    }
    return library.SSL_set1_host(session, host) == 1
        && library.SSL_ctrl(session, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, (void *)host) == 1;
}

static bool open_session(alertd_tls *session, const char *host) {
    session->session = library.SSL_new(session->context);
    if (!session->session || !expect(session->session, host)) return false;
    session->input = library.BIO_new(library.BIO_s_mem());
    session->output = library.BIO_new(library.BIO_s_mem());
    if (!session->input || !session->output) {
        library.BIO_free(session->input);
        library.BIO_free(session->output);
        return false;
    }
    library.SSL_set_bio(session->session, session->input, session->output);
    library.SSL_set_connect_state(session->session);
    return true;
}

alertd_tls *alertd_tls_new(const char *host, const char *authorities, char reason[ALERTD_TLS_REASON_BYTES]) {
    if (!is_loaded()) {
        explain(reason, "libssl cannot be loaded");
        return NULL;
    }
    alertd_tls *session = calloc(1, sizeof *session);
    if (session) session->context = library.SSL_CTX_new(library.TLS_client_method());
    if (!session || !session->context) {
        explain(reason, "out of memory");
        alertd_tls_free(session);
        return NULL;
    }
    library.SSL_CTX_ctrl(session->context, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, NULL);
    library.SSL_CTX_set_verify(session->context, SSL_VERIFY_PEER, NULL);
    bool is_trusting = trust(session->context, authorities);
    if (!is_trusting || !open_session(session, host)) {
        explain(reason, is_trusting ? "out of memory" : "the trusted certificates cannot be read");
        alertd_tls_free(session);
        return NULL;
    }
    return session;
}

void alertd_tls_free(alertd_tls *session) {
    if (!session) return;
    if (session->session) library.SSL_free(session->session);
    if (session->context) library.SSL_CTX_free(session->context);
    free(session);
}

bool alertd_tls_take(alertd_tls *session, const uint8_t *bytes, size_t count) {
    return count == 0 || (count <= INT_MAX && library.BIO_write(session->input, bytes, (int)count) == (int)count);
}

size_t alertd_tls_give(alertd_tls *session, uint8_t *bytes, size_t count) {
    if (library.BIO_ctrl_pending(session->output) == 0) return 0;
    int length = library.BIO_read(session->output, bytes, count > INT_MAX ? INT_MAX : (int)count);
    return length > 0 ? (size_t)length : 0;
}

enum alertd_tls_state alertd_tls_shake_hands(alertd_tls *session, char reason[ALERTD_TLS_REASON_BYTES]) {
    library.ERR_clear_error();
    int result = library.SSL_do_handshake(session->session);
    return result == 1 ? ALERTD_TLS_OK : state(session, result, reason);
}

enum alertd_tls_state alertd_tls_read(
    alertd_tls *session, uint8_t *bytes, size_t count, size_t *length, char reason[ALERTD_TLS_REASON_BYTES]
) {
    library.ERR_clear_error();
    int result = library.SSL_read(session->session, bytes, count > INT_MAX ? INT_MAX : (int)count);
    *length = result > 0 ? (size_t)result : 0;
    return result > 0 ? ALERTD_TLS_OK : state(session, result, reason);
}

enum alertd_tls_state alertd_tls_write(
    alertd_tls *session, const uint8_t *bytes, size_t count, char reason[ALERTD_TLS_REASON_BYTES]
) {
    library.ERR_clear_error();
    int result = count > INT_MAX ? -1 : library.SSL_write(session->session, bytes, (int)count);
    return result > 0 ? ALERTD_TLS_OK : state(session, result, reason);
}
