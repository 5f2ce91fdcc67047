#include "ccurl.h"

CURLcode alertd_curl_setopt_long(CURL *handle, CURLoption option, long value) {
    return (curl_easy_setopt)(handle, option, value);
}

CURLcode alertd_curl_setopt_string(CURL *handle, CURLoption option, const char *value) {
    return (curl_easy_setopt)(handle, option, value);
}

CURLcode alertd_curl_setopt_pointer(CURL *handle, CURLoption option, void *value) {
    return (curl_easy_setopt)(handle, option, value);
}

CURLcode alertd_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return (curl_easy_getinfo)(handle, info, value);
}

CURLcode alertd_curl_get_socket(CURL *handle, CURLINFO info, curl_socket_t *value) {
    return (curl_easy_getinfo)(handle, info, value);
}

CURLcode alertd_curl_set_receivers(
    CURL *handle, alertd_curl_receiver header, alertd_curl_receiver body, void *context
) {
    CURLcode status = (curl_easy_setopt)(handle, CURLOPT_HEADERFUNCTION, header);
    if (status == CURLE_OK) status = (curl_easy_setopt)(handle, CURLOPT_HEADERDATA, context);
    if (status == CURLE_OK) status = (curl_easy_setopt)(handle, CURLOPT_WRITEFUNCTION, body);
    if (status == CURLE_OK) status = (curl_easy_setopt)(handle, CURLOPT_WRITEDATA, context);
    return status;
}

CURLcode alertd_curl_set_sender(CURL *handle, alertd_curl_sender sender, void *context) {
    CURLcode status = (curl_easy_setopt)(handle, CURLOPT_READFUNCTION, sender);
    if (status == CURLE_OK) status = (curl_easy_setopt)(handle, CURLOPT_READDATA, context);
    return status;
}

CURLcode alertd_curl_set_observer(CURL *handle, curl_debug_callback observer, void *context) {
    CURLcode status = (curl_easy_setopt)(handle, CURLOPT_DEBUGFUNCTION, observer);
    if (status == CURLE_OK) status = (curl_easy_setopt)(handle, CURLOPT_DEBUGDATA, context);
    if (status == CURLE_OK) status = (curl_easy_setopt)(handle, CURLOPT_VERBOSE, 1L);
    return status;
}

CURLcode alertd_curl_set_progress(CURL *handle, curl_xferinfo_callback progress, void *context) {
    CURLcode status = (curl_easy_setopt)(handle, CURLOPT_XFERINFOFUNCTION, progress);
    if (status == CURLE_OK) status = (curl_easy_setopt)(handle, CURLOPT_XFERINFODATA, context);
    if (status == CURLE_OK) status = (curl_easy_setopt)(handle, CURLOPT_NOPROGRESS, 0L);
    return status;
}

CURLMcode alertd_curl_multi_setopt_long(CURLM *multi, CURLMoption option, long value) {
    return (curl_multi_setopt)(multi, option, value);
}

CURLMcode alertd_curl_multi_set_callbacks(
    CURLM *multi, curl_socket_callback socket, curl_multi_timer_callback timer, void *context
) {
    CURLMcode status = (curl_multi_setopt)(multi, CURLMOPT_SOCKETFUNCTION, socket);
    if (status == CURLM_OK) status = (curl_multi_setopt)(multi, CURLMOPT_SOCKETDATA, context);
    if (status == CURLM_OK) status = (curl_multi_setopt)(multi, CURLMOPT_TIMERFUNCTION, timer);
    if (status == CURLM_OK) status = (curl_multi_setopt)(multi, CURLMOPT_TIMERDATA, context);
    return status;
}
