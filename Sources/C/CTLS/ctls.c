#include "ctls.h"

#include <arpa/inet.h>
#include <limits.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>

struct alertd_tls {
    SSL_CTX *context;
    SSL *session;
    // The buffers of encrypted bytes from and to the server. The session owns both.
    BIO *input;
    BIO *output;
};

static void explain(char reason[ALERTD_TLS_REASON_BYTES], const char *text) {
    snprintf(reason, ALERTD_TLS_REASON_BYTES, "%s", text);
}

// Writes the reason. A certificate error takes precedence over OpenSSL's general message, because people can act on
// it.
static enum alertd_tls_state fail(alertd_tls *session, char reason[ALERTD_TLS_REASON_BYTES]) {
    long verified = SSL_get_verify_result(session->session);
    if (verified != X509_V_OK) {
        snprintf(
            reason, ALERTD_TLS_REASON_BYTES, "the certificate is not trusted: %s",
            X509_verify_cert_error_string(verified));
    } else {
        unsigned long error = ERR_peek_last_error();
        if (error) {
            ERR_error_string_n(error, reason, ALERTD_TLS_REASON_BYTES);
        } else {
            explain(reason, "the connection was not encrypted as agreed");
        }
    }
    return ALERTD_TLS_FAILED;
}

// Returns the state for a result below 1 of an OpenSSL function.
static enum alertd_tls_state state(alertd_tls *session, int result, char reason[ALERTD_TLS_REASON_BYTES]) {
    switch (SSL_get_error(session->session, result)) {
    case SSL_ERROR_WANT_READ: return ALERTD_TLS_WAITS;
    case SSL_ERROR_ZERO_RETURN: return ALERTD_TLS_ENDED;
    default: return fail(session, reason);
    }
}

static bool trust(SSL_CTX *context, const char *authorities) {
    return (authorities ? SSL_CTX_load_verify_file(context, authorities)
                        : SSL_CTX_set_default_verify_paths(context))
        == 1;
}

// Sets the name or address that the certificate must be valid for.
static bool expect(SSL *session, const char *host) {
    unsigned char address[sizeof(struct in6_addr)];
    if (inet_pton(AF_INET, host, address) == 1 || inet_pton(AF_INET6, host, address) == 1) {
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host) == 1;
    }
    return SSL_set1_host(session, host) == 1
        && SSL_ctrl(session, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, (void *)host) == 1;
}

static bool open_session(alertd_tls *session, const char *host) {
    session->session = SSL_new(session->context);
    if (!session->session || !expect(session->session, host)) return false;
    session->input = BIO_new(BIO_s_mem());
    session->output = BIO_new(BIO_s_mem());
    if (!session->input || !session->output) {
        BIO_free(session->input);
        BIO_free(session->output);
        return false;
    }
    SSL_set_bio(session->session, session->input, session->output);
    SSL_set_connect_state(session->session);
    return true;
}

alertd_tls *alertd_tls_new(const char *host, const char *authorities, char reason[ALERTD_TLS_REASON_BYTES]) {
    alertd_tls *session = calloc(1, sizeof *session);
    if (session) session->context = SSL_CTX_new(TLS_client_method());
    if (!session || !session->context) {
        explain(reason, "out of memory");
        alertd_tls_free(session);
        return NULL;
    }
    SSL_CTX_ctrl(session->context, SSL_CTRL_SET_MIN_PROTO_VERSION, TLS1_2_VERSION, NULL);
    SSL_CTX_set_verify(session->context, SSL_VERIFY_PEER, NULL);
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
    if (session->session) SSL_free(session->session);
    if (session->context) SSL_CTX_free(session->context);
    free(session);
}

bool alertd_tls_take(alertd_tls *session, const uint8_t *bytes, size_t count) {
    return count == 0 || (count <= INT_MAX && BIO_write(session->input, bytes, (int)count) == (int)count);
}

size_t alertd_tls_give(alertd_tls *session, uint8_t *bytes, size_t count) {
    if (BIO_ctrl_pending(session->output) == 0) return 0;
    int length = BIO_read(session->output, bytes, count > INT_MAX ? INT_MAX : (int)count);
    return length > 0 ? (size_t)length : 0;
}

enum alertd_tls_state alertd_tls_shake_hands(alertd_tls *session, char reason[ALERTD_TLS_REASON_BYTES]) {
    ERR_clear_error();
    int result = SSL_do_handshake(session->session);
    return result == 1 ? ALERTD_TLS_OK : state(session, result, reason);
}

enum alertd_tls_state alertd_tls_read(
    alertd_tls *session, uint8_t *bytes, size_t count, size_t *length, char reason[ALERTD_TLS_REASON_BYTES]
) {
    ERR_clear_error();
    int result = SSL_read(session->session, bytes, count > INT_MAX ? INT_MAX : (int)count);
    *length = result > 0 ? (size_t)result : 0;
    return result > 0 ? ALERTD_TLS_OK : state(session, result, reason);
}

enum alertd_tls_state alertd_tls_write(
    alertd_tls *session, const uint8_t *bytes, size_t count, char reason[ALERTD_TLS_REASON_BYTES]
) {
    ERR_clear_error();
    int result = count > INT_MAX ? -1 : SSL_write(session->session, bytes, (int)count);
    return result > 0 ? ALERTD_TLS_OK : state(session, result, reason);
}
