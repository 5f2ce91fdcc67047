// What is used of libmicrohttpd, which is loaded when the first server starts: it brings eight more libraries, and
// loading them takes a millisecond of each start.
//
// The functions are those of libmicrohttpd; variadic ones, which Swift cannot call, have one function per use.
#pragma once
#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>

struct alertd_mhd_options {
    // A listening stream socket, closed when the server stops.
    int listener;
    unsigned int connection_limit;
    // The memory of one connection for its request line, header fields and buffers.
    size_t connection_bytes;
    // Passed to each callback.
    void *context;
    // A connection began or ended.
    MHD_NotifyConnectionCallback connection;
    // The request line has arrived; what it returns is the first value of the request's slot.
    void *(*line)(void *context, const char *uri, struct MHD_Connection *connection);
    MHD_AccessHandlerCallback request;
    MHD_RequestCompletedCallback completed;
};

// Starts a server without threads: `alertd_mhd_run` does what is to be done whenever its descriptor is readable.
// Returns null when that fails; `alertd_mhd_failure` is null then, unless the library could not be loaded.
struct MHD_Daemon *alertd_mhd_start(const struct alertd_mhd_options *options);
const char *alertd_mhd_failure(void);
void alertd_mhd_stop(struct MHD_Daemon *daemon);

// The epoll descriptor to wait for.
int alertd_mhd_descriptor(struct MHD_Daemon *daemon);
// Whether there is something to do at once, although the descriptor may not be readable.
bool alertd_mhd_is_ready(struct MHD_Daemon *daemon);
void alertd_mhd_run(struct MHD_Daemon *daemon);

int alertd_mhd_connection_descriptor(struct MHD_Connection *connection);
// The user whose process connected, as the kernel knows it; false for a client on another machine, and where the kernel
// cannot be asked.
bool alertd_mhd_peer_user(int connection, unsigned int *user);
void alertd_mhd_suspend(struct MHD_Connection *connection);
void alertd_mhd_resume(struct MHD_Connection *connection);

// Calls `each` with every header field or argument of the query; a value may be null.
typedef void (*alertd_mhd_each)(
    void *context, const char *key, size_t key_count, const char *value, size_t value_count);
void alertd_mhd_headers(struct MHD_Connection *connection, alertd_mhd_each each, void *context);
void alertd_mhd_query(struct MHD_Connection *connection, alertd_mhd_each each, void *context);

// A response with a copy of the bytes; null without memory.
struct MHD_Response *alertd_mhd_response(const void *bytes, size_t count);
// A response without a known length, whose content the callback gives; null without memory.
struct MHD_Response *alertd_mhd_stream(
    size_t block_bytes, MHD_ContentReaderCallback reader, void *context, MHD_ContentReaderFreeCallback release);
// False for a name or value that a header cannot have.
bool alertd_mhd_add_header(struct MHD_Response *response, const char *name, const char *value);
// Queues the response and gives it up.
enum MHD_Result alertd_mhd_queue(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response);
void alertd_mhd_destroy(struct MHD_Response *response);

extern const ssize_t alertd_mhd_end_of_stream;
extern const enum MHD_Result alertd_mhd_yes;
extern const enum MHD_Result alertd_mhd_no;
bool alertd_mhd_has_begun(enum MHD_ConnectionNotificationCode event);
