#include "cmicrohttpd.h"

#include <dlfcn.h>

// The soname of libmicrohttpd since 2015, as in Debian 12 and 13.
static const char library_name[] = "libmicrohttpd.so.12";

#define FUNCTIONS(F)               \
    F(MHD_add_response_header)     \
    F(MHD_create_response_from_buffer) \
    F(MHD_create_response_from_callback) \
    F(MHD_destroy_response)        \
    F(MHD_get_connection_info)     \
    F(MHD_get_connection_values_n) \
    F(MHD_get_daemon_info)         \
    F(MHD_get_timeout)             \
    F(MHD_queue_response)          \
    F(MHD_resume_connection)       \
    F(MHD_run)                     \
    F(MHD_start_daemon)            \
    F(MHD_stop_daemon)             \
    F(MHD_suspend_connection)

// A pointer to each function, with the name and type of the function.
#define MEMBER(name) __typeof__(&(name)) name;
static struct {
    FUNCTIONS(MEMBER)
} library;

static const char *failure;

const ssize_t alertd_mhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
const enum MHD_Result alertd_mhd_yes = MHD_YES;
const enum MHD_Result alertd_mhd_no = MHD_NO;

bool alertd_mhd_has_begun(enum MHD_ConnectionNotificationCode event) {
    return event == MHD_CONNECTION_NOTIFY_STARTED;
}

static bool find(void *handle, const char *name, void *function) {
    *(void **)function = dlsym(handle, name);
    return *(void **)function != NULL;
}

static bool load(void) {
    void *handle = dlopen(library_name, RTLD_LAZY | RTLD_LOCAL);
    bool has_all = handle != NULL;
#define FIND(name) has_all = has_all && find(handle, #name, &library.name);
    FUNCTIONS(FIND)
    if (has_all) return true;
    failure = dlerror();
    if (!failure) failure = library_name;
    return false;
}

// Loads the library on the first call. The lock is for tests, which run in parallel; a program has one server thread.
static bool is_loaded(void) {
    static int state;
    static volatile char lock;
    while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE)) {}
    if (state == 0) state = load() ? 1 : -1;
    bool result = state > 0;
    __atomic_clear(&lock, __ATOMIC_RELEASE);
    return result;
}

const char *alertd_mhd_failure(void) { return failure; }

struct MHD_Daemon *alertd_mhd_start(const struct alertd_mhd_options *options) {
    if (!is_loaded()) return NULL;
    return library.MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, options->request, options->context,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket)options->listener,
        MHD_OPTION_CONNECTION_LIMIT, options->connection_limit,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, options->connection_bytes,
        MHD_OPTION_NOTIFY_CONNECTION, options->connection, options->context,
        MHD_OPTION_NOTIFY_COMPLETED, options->completed, options->context,
        MHD_OPTION_URI_LOG_CALLBACK, options->line, options->context,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

void alertd_mhd_stop(struct MHD_Daemon *daemon) { library.MHD_stop_daemon(daemon); }

int alertd_mhd_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = library.MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

bool alertd_mhd_is_ready(struct MHD_Daemon *daemon) {
    MHD_UNSIGNED_LONG_LONG milliseconds = 1;
    return library.MHD_get_timeout(daemon, &milliseconds) == MHD_YES && milliseconds == 0;
}

void alertd_mhd_run(struct MHD_Daemon *daemon) { library.MHD_run(daemon); }

int alertd_mhd_connection_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        library.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

void alertd_mhd_suspend(struct MHD_Connection *connection) { library.MHD_suspend_connection(connection); }

void alertd_mhd_resume(struct MHD_Connection *connection) { library.MHD_resume_connection(connection); }

struct visitor {
    alertd_mhd_each each;
    void *context;
};

static enum MHD_Result visit(
    void *pointer, enum MHD_ValueKind kind, const char *key, size_t key_count, const char *value, size_t value_count
) {
    (void)kind;
    const struct visitor *visitor = pointer;
    visitor->each(visitor->context, key, key_count, value, value_count);
    return MHD_YES;
}

void alertd_mhd_headers(struct MHD_Connection *connection, alertd_mhd_each each, void *context) {
    struct visitor visitor = {each, context};
    library.MHD_get_connection_values_n(connection, MHD_HEADER_KIND, visit, &visitor);
}

void alertd_mhd_query(struct MHD_Connection *connection, alertd_mhd_each each, void *context) {
    struct visitor visitor = {each, context};
    library.MHD_get_connection_values_n(connection, MHD_GET_ARGUMENT_KIND, visit, &visitor);
}

struct MHD_Response *alertd_mhd_response(const void *bytes, size_t count) {
    return library.MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

struct MHD_Response *alertd_mhd_stream(
    size_t block_bytes, MHD_ContentReaderCallback reader, void *context, MHD_ContentReaderFreeCallback release
) {
    return library.MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, block_bytes, reader, context, release);
}

bool alertd_mhd_add_header(struct MHD_Response *response, const char *name, const char *value) {
    return library.MHD_add_response_header(response, name, value) == MHD_YES;
}

enum MHD_Result alertd_mhd_queue(
    struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response
) {
    enum MHD_Result result = library.MHD_queue_response(connection, status, response);
    library.MHD_destroy_response(response);
    return result;
}

void alertd_mhd_destroy(struct MHD_Response *response) { library.MHD_destroy_response(response); }
