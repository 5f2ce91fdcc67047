// libcurl, and wrappers of its variadic functions, which Swift cannot call.
#pragma once
#include <curl/curl.h>

static inline CURLcode alertd_curl_setopt_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode alertd_curl_setopt_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode alertd_curl_setopt_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

// The signature of CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
typedef size_t (*alertd_curl_receiver)(char *bytes, size_t size, size_t count, void *context);

// Sets both callbacks and their context.
static inline CURLcode alertd_curl_set_receivers(
    CURL *handle, alertd_curl_receiver header, alertd_curl_receiver body, void *context) {
    CURLcode status = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, header);
    if (status == CURLE_OK) status = curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
    if (status == CURLE_OK) status = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
    if (status == CURLE_OK) status = curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
    return status;
}

static inline CURLcode alertd_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLMcode alertd_curl_multi_setopt_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// Sets the callbacks for watching descriptors and setting the timer, and their context.
static inline CURLMcode alertd_curl_multi_set_callbacks(
    CURLM *multi, curl_socket_callback socket, curl_multi_timer_callback timer, void *context) {
    CURLMcode status = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
    if (status == CURLM_OK) status = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    if (status == CURLM_OK) status = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
    if (status == CURLM_OK) status = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
    return status;
}
