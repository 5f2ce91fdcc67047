// TLS for protocols that libcurl does not support, using OpenSSL's libssl: bytes in, bytes out, without a socket.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct alertd_tls alertd_tls;

// The maximum length of a reason in bytes, including the terminating zero byte.
#define ALERTD_TLS_REASON_BYTES 200

// Makes the client side of a session with a host, using TLS 1.2 or later. The certificate of the host is verified.
// `authorities` is a PEM file with the certificates to trust instead of those of the system, or null. Returns null
// with a reason on failure.
alertd_tls *alertd_tls_new(const char *host, const char *authorities, char reason[ALERTD_TLS_REASON_BYTES]);

void alertd_tls_free(alertd_tls *session);

// Adds bytes from the server, less than 2 GiB. Returns false if out of memory.
bool alertd_tls_take(alertd_tls *session, const uint8_t *bytes, size_t count);

// Copies bytes to send to the server. Returns their number, 0 if there are none.
size_t alertd_tls_give(alertd_tls *session, uint8_t *bytes, size_t count);

enum alertd_tls_state {
    ALERTD_TLS_OK,
    // The session is waiting for bytes from the server.
    ALERTD_TLS_WAITS,
    // The server has ended the session.
    ALERTD_TLS_ENDED,
    ALERTD_TLS_FAILED,
};

// Starts or continues the handshake.
enum alertd_tls_state alertd_tls_shake_hands(alertd_tls *session, char reason[ALERTD_TLS_REASON_BYTES]);

// Decrypts up to `count` bytes and sets `length` to their number.
enum alertd_tls_state alertd_tls_read(
    alertd_tls *session, uint8_t *bytes, size_t count, size_t *length, char reason[ALERTD_TLS_REASON_BYTES]);

// Encrypts all bytes. There must be at least one and less than 2 GiB.
enum alertd_tls_state alertd_tls_write(
    alertd_tls *session, const uint8_t *bytes, size_t count, char reason[ALERTD_TLS_REASON_BYTES]);
