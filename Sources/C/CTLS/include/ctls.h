// TLS for protocols that libcurl does not speak, by OpenSSL's libssl: bytes in, bytes out, without a socket.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct alertd_tls alertd_tls;

// The length of texts about failures, with the zero at their end.
#define ALERTD_TLS_REASON_BYTES 200

// Makes the client's side of a session with a host, whose certificate is verified: TLS 1.2 at least. `authorities` is a
// PEM file with the certificates to trust instead of the system's, or null. Null with a reason if that fails.
alertd_tls *alertd_tls_new(const char *host, const char *authorities, char reason[ALERTD_TLS_REASON_BYTES]);

void alertd_tls_free(alertd_tls *session);

// Takes bytes that the server sent; false when out of memory. A count is at most 2 GiB.
bool alertd_tls_take(alertd_tls *session, const uint8_t *bytes, size_t count);

// Copies bytes that the server is to get; returns how many, 0 when there are none.
size_t alertd_tls_give(alertd_tls *session, uint8_t *bytes, size_t count);

enum alertd_tls_state {
    ALERTD_TLS_OK,
    // The server has to send something first.
    ALERTD_TLS_WAITS,
    // The server has ended the session.
    ALERTD_TLS_ENDED,
    ALERTD_TLS_FAILED,
};

// Continues the handshake.
enum alertd_tls_state alertd_tls_shake_hands(alertd_tls *session, char reason[ALERTD_TLS_REASON_BYTES]);

// Decrypts up to `count` bytes; `length` is how many.
enum alertd_tls_state alertd_tls_read(
    alertd_tls *session, uint8_t *bytes, size_t count, size_t *length, char reason[ALERTD_TLS_REASON_BYTES]);

// Encrypts all bytes, at least one and less than 2 GiB.
enum alertd_tls_state alertd_tls_write(
    alertd_tls *session, const uint8_t *bytes, size_t count, char reason[ALERTD_TLS_REASON_BYTES]);
