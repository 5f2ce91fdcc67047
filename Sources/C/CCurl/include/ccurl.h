// libcurl, and a wrapper per type for its variadic functions, which Swift cannot call.
#pragma once
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

// Values of options. They are macros of type long since libcurl 8.13, and members of enumerations in earlier versions.
static const long alertd_curl_tls_1_2 = CURL_SSLVERSION_TLSv1_2;
static const long alertd_curl_http_1_1 = CURL_HTTP_VERSION_1_1;
static const long alertd_curl_use_tls_if_offered = CURLUSESSL_TRY;
static const long alertd_curl_use_tls_always = CURLUSESSL_ALL;
static const long alertd_curl_if_modified_since = CURL_TIMECOND_IFMODSINCE;

CURLcode alertd_curl_setopt_long(CURL *handle, CURLoption option, long value);
CURLcode alertd_curl_setopt_string(CURL *handle, CURLoption option, const char *value);
CURLcode alertd_curl_setopt_pointer(CURL *handle, CURLoption option, void *value);
CURLcode alertd_curl_get_long(CURL *handle, CURLINFO info, long *value);
CURLcode alertd_curl_get_socket(CURL *handle, CURLINFO info, curl_socket_t *value);

// The signature of CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
typedef size_t (*alertd_curl_receiver)(char *bytes, size_t size, size_t count, void *context);

// Sets both callbacks and their context.
CURLcode alertd_curl_set_receivers(
    CURL *handle, alertd_curl_receiver header, alertd_curl_receiver body, void *context);

// The signature of CURLOPT_READFUNCTION.
typedef size_t (*alertd_curl_sender)(char *bytes, size_t size, size_t count, void *context);

// Sets the callback that provides the bytes of an upload, and its context.
CURLcode alertd_curl_set_sender(CURL *handle, alertd_curl_sender sender, void *context);

// Sets the callback that may abort a transfer, and its context.
CURLcode alertd_curl_set_progress(CURL *handle, curl_xferinfo_callback progress, void *context);

// Sets the callback that observes all sent and received data, and its context.
CURLcode alertd_curl_set_observer(CURL *handle, curl_debug_callback observer, void *context);

// A mail that is sent on a separate thread, because at the end of a mail libcurl blocks until the server replies, for
// up to two minutes.
struct alertd_mail;

// A reply of the server: its code and the start of its lines, without a terminating zero byte. The code is 0 if there
// was no reply.
struct alertd_mail_reply {
    int code;
    size_t length;
    char text[512];
};

// Starts sending a copy of the bytes. `recipients` is the number of recipients in the options of the handle. All
// other options must be set already, and the handle must not be used until `alertd_mail_finish` returns. Returns null
// if out of memory or threads.
struct alertd_mail *alertd_mail_start(CURL *easy, const uint8_t *content, size_t size, size_t recipients);

// Returns a descriptor that becomes readable when the mail is sent or has failed. It is valid until
// `alertd_mail_finish`.
int alertd_mail_descriptor(const struct alertd_mail *mail);

// Cancels the mail. The thread ends within about a second.
void alertd_mail_cancel(struct alertd_mail *mail);

// Waits for the thread and frees the mail. Copies the last reply of the server, except the reply to QUIT, and its
// replies for all recipients in order. Returns the result of libcurl.
CURLcode alertd_mail_finish(
    struct alertd_mail *mail, struct alertd_mail_reply *last, struct alertd_mail_reply *replies);

CURLMcode alertd_curl_multi_setopt_long(CURLM *multi, CURLMoption option, long value);

// Sets the callbacks for watching descriptors and setting the timer, and their context.
CURLMcode alertd_curl_multi_set_callbacks(
    CURLM *multi, curl_socket_callback socket, curl_multi_timer_callback timer, void *context);
