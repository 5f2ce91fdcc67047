// Wrappers for libmicrohttpd, which is loaded when the first server starts. It depends on eight more libraries, whose
// loading would add a millisecond to each start.
//
// The functions correspond to those of libmicrohttpd. Variadic ones, which Swift cannot call, have one wrapper per
// use.
#pragma once
#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>

struct alertd_mhd_options {
    // A listening stream socket, which is closed when the server stops.
    int listener;
    unsigned int connection_limit;
    // The memory of a connection for its request line, header fields and buffers, in bytes.
    size_t connection_bytes;
    // The context of all callbacks.
    void *context;
    // Called when a connection begins or ends.
    MHD_NotifyConnectionCallback connection;
    // Called when the request line has arrived. The result is the initial value of the request's context.
    void *(*line)(void *context, const char *uri, struct MHD_Connection *connection);
    MHD_AccessHandlerCallback request;
    MHD_RequestCompletedCallback completed;
};

// Starts a server without threads. Call `alertd_mhd_run` whenever its descriptor is readable. Returns null on failure;
// if the library could not be loaded, `alertd_mhd_failure` is the reason, otherwise it is null.
struct MHD_Daemon *alertd_mhd_start(const struct alertd_mhd_options *options);
const char *alertd_mhd_failure(void);
void alertd_mhd_stop(struct MHD_Daemon *daemon);

// Returns the epoll descriptor to wait for.
int alertd_mhd_descriptor(struct MHD_Daemon *daemon);
// Returns true if `alertd_mhd_run` must be called immediately, even if the descriptor is not readable.
bool alertd_mhd_is_ready(struct MHD_Daemon *daemon);
void alertd_mhd_run(struct MHD_Daemon *daemon);

int alertd_mhd_connection_descriptor(struct MHD_Connection *connection);
// Asks the kernel for the user of the client process. Returns false if the client is on another machine or the
// request fails.
bool alertd_mhd_peer_user(int connection, unsigned int *user);
void alertd_mhd_suspend(struct MHD_Connection *connection);
void alertd_mhd_resume(struct MHD_Connection *connection);

// Calls `each` with every header field or query argument. A value may be null.
typedef void (*alertd_mhd_each)(
    void *context, const char *key, size_t key_count, const char *value, size_t value_count);
void alertd_mhd_headers(struct MHD_Connection *connection, alertd_mhd_each each, void *context);
void alertd_mhd_query(struct MHD_Connection *connection, alertd_mhd_each each, void *context);

// Makes a response with a copy of the bytes. Returns null if out of memory.
struct MHD_Response *alertd_mhd_response(const void *bytes, size_t count);
// Makes a response of unknown length, whose content comes from the callback. Returns null if out of memory.
struct MHD_Response *alertd_mhd_stream(
    size_t block_bytes, MHD_ContentReaderCallback reader, void *context, MHD_ContentReaderFreeCallback release);
// Adds a header field. Returns false if its name or value is invalid.
bool alertd_mhd_add_header(struct MHD_Response *response, const char *name, const char *value);
// Queues the response and releases it.
enum MHD_Result alertd_mhd_queue(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response);
void alertd_mhd_destroy(struct MHD_Response *response);

extern const ssize_t alertd_mhd_end_of_stream;
extern const enum MHD_Result alertd_mhd_yes;
extern const enum MHD_Result alertd_mhd_no;
bool alertd_mhd_has_begun(enum MHD_ConnectionNotificationCode event);
