#include "ccurl.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

// The name that libcurl's interface has had since 2006.
static const char library_name[] = "libcurl.so.4";

#define FUNCTIONS(F)          \
    F(curl_easy_cleanup) \
    F(curl_easy_getinfo) \
    F(curl_easy_init) \
    F(curl_easy_perform) \
    F(curl_easy_reset) \
    F(curl_easy_setopt) \
    F(curl_easy_strerror) \
    F(curl_free) \
    F(curl_global_init) \
    F(curl_multi_add_handle) \
    F(curl_multi_cleanup) \
    F(curl_multi_info_read) \
    F(curl_multi_init) \
    F(curl_multi_remove_handle) \
    F(curl_multi_setopt) \
    F(curl_multi_socket_action) \
    F(curl_slist_append) \
    F(curl_slist_free_all) \
    F(curl_url) \
    F(curl_url_cleanup) \
    F(curl_url_get) \
    F(curl_url_set)

// Each function under its own name, and thereby with its own type.
#define MEMBER(name) __typeof__(&(name)) name;
static struct {
    FUNCTIONS(MEMBER)
} library;

static const char *failure;

static bool find(void *handle, const char *name, void *function) {
    *(void **)function = dlsym(handle, name);
    return *(void **)function != NULL;
}

static bool load(void) {
    void *handle = dlopen(library_name, RTLD_LAZY | RTLD_LOCAL);
    bool has_all = handle != NULL;
#define FIND(name) has_all = has_all && find(handle, #name, &library.name);
    FUNCTIONS(FIND)
    if (!has_all) {
        failure = dlerror();
        if (!failure) failure = library_name;
        return false;
    }
    CURLcode status = library.curl_global_init(CURL_GLOBAL_SSL);
    if (status != CURLE_OK) failure = library.curl_easy_strerror(status);
    return status == CURLE_OK;
}

// Everything but mail happens on one thread, but tests run side by side.
static bool is_loaded(void) {
    static int state;
    static volatile char lock;
    while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE)) {}
    if (state == 0) state = load() ? 1 : -1;
    bool result = state > 0;
    __atomic_clear(&lock, __ATOMIC_RELEASE);
    return result;
}

const char *alertd_curl_failure(void) { return failure; }

CURL *alertd_curl_easy_init(void) { return is_loaded() ? library.curl_easy_init() : NULL; }

CURLM *alertd_curl_multi_init(void) { return is_loaded() ? library.curl_multi_init() : NULL; }

CURLU *alertd_curl_url(void) { return is_loaded() ? library.curl_url() : NULL; }

void alertd_curl_easy_cleanup(CURL *handle) { library.curl_easy_cleanup(handle); }

void alertd_curl_easy_reset(CURL *handle) { library.curl_easy_reset(handle); }

const char *alertd_curl_easy_strerror(CURLcode code) { return library.curl_easy_strerror(code); }

CURLcode alertd_curl_setopt_long(CURL *handle, CURLoption option, long value) {
    return (library.curl_easy_setopt)(handle, option, value);
}

CURLcode alertd_curl_setopt_string(CURL *handle, CURLoption option, const char *value) {
    return (library.curl_easy_setopt)(handle, option, value);
}

CURLcode alertd_curl_setopt_pointer(CURL *handle, CURLoption option, void *value) {
    return (library.curl_easy_setopt)(handle, option, value);
}

struct curl_slist *alertd_curl_slist_append(struct curl_slist *list, const char *line) {
    return library.curl_slist_append(list, line);
}

void alertd_curl_slist_free_all(struct curl_slist *list) { library.curl_slist_free_all(list); }

CURLcode alertd_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return (library.curl_easy_getinfo)(handle, info, value);
}

CURLcode alertd_curl_get_socket(CURL *handle, CURLINFO info, curl_socket_t *value) {
    return (library.curl_easy_getinfo)(handle, info, value);
}

CURLcode alertd_curl_set_receivers(
    CURL *handle, alertd_curl_receiver header, alertd_curl_receiver body, void *context
) {
    CURLcode status = (library.curl_easy_setopt)(handle, CURLOPT_HEADERFUNCTION, header);
    if (status == CURLE_OK) status = (library.curl_easy_setopt)(handle, CURLOPT_HEADERDATA, context);
    if (status == CURLE_OK) status = (library.curl_easy_setopt)(handle, CURLOPT_WRITEFUNCTION, body);
    if (status == CURLE_OK) status = (library.curl_easy_setopt)(handle, CURLOPT_WRITEDATA, context);
    return status;
}

CURLcode alertd_curl_set_sender(CURL *handle, alertd_curl_sender sender, void *context) {
    CURLcode status = (library.curl_easy_setopt)(handle, CURLOPT_READFUNCTION, sender);
    if (status == CURLE_OK) status = (library.curl_easy_setopt)(handle, CURLOPT_READDATA, context);
    return status;
}

CURLcode alertd_curl_set_observer(CURL *handle, curl_debug_callback observer, void *context) {
    CURLcode status = (library.curl_easy_setopt)(handle, CURLOPT_DEBUGFUNCTION, observer);
    if (status == CURLE_OK) status = (library.curl_easy_setopt)(handle, CURLOPT_DEBUGDATA, context);
    if (status == CURLE_OK) status = (library.curl_easy_setopt)(handle, CURLOPT_VERBOSE, 1L);
    return status;
}

CURLcode alertd_curl_set_progress(CURL *handle, curl_xferinfo_callback progress, void *context) {
    CURLcode status = (library.curl_easy_setopt)(handle, CURLOPT_XFERINFOFUNCTION, progress);
    if (status == CURLE_OK) status = (library.curl_easy_setopt)(handle, CURLOPT_XFERINFODATA, context);
    if (status == CURLE_OK) status = (library.curl_easy_setopt)(handle, CURLOPT_NOPROGRESS, 0L);
    return status;
}

CURLcode alertd_curl_easy_perform(CURL *handle) { return library.curl_easy_perform(handle); }

CURLMcode alertd_curl_multi_cleanup(CURLM *multi) { return library.curl_multi_cleanup(multi); }

CURLMcode alertd_curl_multi_add_handle(CURLM *multi, CURL *handle) {
    return library.curl_multi_add_handle(multi, handle);
}

CURLMcode alertd_curl_multi_remove_handle(CURLM *multi, CURL *handle) {
    return library.curl_multi_remove_handle(multi, handle);
}

CURLMsg *alertd_curl_multi_info_read(CURLM *multi, int *waiting) {
    return library.curl_multi_info_read(multi, waiting);
}

CURLMcode alertd_curl_multi_socket_action(CURLM *multi, curl_socket_t descriptor, int events, int *running) {
    return library.curl_multi_socket_action(multi, descriptor, events, running);
}

CURLMcode alertd_curl_multi_setopt_long(CURLM *multi, CURLMoption option, long value) {
    return (library.curl_multi_setopt)(multi, option, value);
}

CURLMcode alertd_curl_multi_set_callbacks(
    CURLM *multi, curl_socket_callback socket, curl_multi_timer_callback timer, void *context
) {
    CURLMcode status = (library.curl_multi_setopt)(multi, CURLMOPT_SOCKETFUNCTION, socket);
    if (status == CURLM_OK) status = (library.curl_multi_setopt)(multi, CURLMOPT_SOCKETDATA, context);
    if (status == CURLM_OK) status = (library.curl_multi_setopt)(multi, CURLMOPT_TIMERFUNCTION, timer);
    if (status == CURLM_OK) status = (library.curl_multi_setopt)(multi, CURLMOPT_TIMERDATA, context);
    return status;
}

void alertd_curl_url_cleanup(CURLU *url) { library.curl_url_cleanup(url); }

CURLUcode alertd_curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags) {
    return library.curl_url_set(url, part, text, flags);
}

CURLUcode alertd_curl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags) {
    return library.curl_url_get(url, part, text, flags);
}

void alertd_curl_free(void *memory) { library.curl_free(memory); }
