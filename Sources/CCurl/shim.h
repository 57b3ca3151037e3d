#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

/* Functions with plain types for curl_easy_setopt(3) and curl_easy_getinfo(3), which are variadic, so that Swift cannot call them. */

#include <curl/curl.h>

// In brackets: libcurl also has macros of these names.

static inline CURLcode CCurl_setNumber(CURL *handle, CURLoption option, long value) {
    return (curl_easy_setopt)(handle, option, value);
}

/* libcurl copies the text, except the buffer of CURLOPT_ERRORBUFFER. */
static inline CURLcode CCurl_setText(CURL *handle, CURLoption option, const char *value) {
    return (curl_easy_setopt)(handle, option, value);
}

/* The number of bytes that will be uploaded. */
static inline CURLcode CCurl_setUploadSize(CURL *handle, curl_off_t size) {
    return (curl_easy_setopt)(handle, CURLOPT_INFILESIZE_LARGE, size);
}

/* libcurl does not copy the list. */
static inline CURLcode CCurl_setList(CURL *handle, CURLoption option, struct curl_slist *list) {
    return (curl_easy_setopt)(handle, option, list);
}

/* The buffer of CURL_ERROR_SIZE bytes for the text about a failure. */
static inline CURLcode CCurl_setErrorBuffer(CURL *handle, char *buffer) {
    return (curl_easy_setopt)(handle, CURLOPT_ERRORBUFFER, buffer);
}

/* Sets the function that libcurl calls with `context` for each line of the response's header, and for each part of its body. */
static inline CURLcode CCurl_setReceiver(CURL *handle, void *context, curl_write_callback receive) {
    CURLcode code = (curl_easy_setopt)(handle, CURLOPT_HEADERFUNCTION, receive);
    if (code == CURLE_OK) code = (curl_easy_setopt)(handle, CURLOPT_HEADERDATA, context);
    if (code == CURLE_OK) code = (curl_easy_setopt)(handle, CURLOPT_WRITEFUNCTION, receive);
    if (code == CURLE_OK) code = (curl_easy_setopt)(handle, CURLOPT_WRITEDATA, context);
    return code;
}

/* Sets the functions that libcurl calls with `context`: for the next part of the upload; for each line that the server sends; and at
 * least once a second, to ask whether to abort (any result except 0). */
static inline CURLcode CCurl_setCallbacks(CURL *handle, void *context, curl_read_callback read, curl_write_callback receive,
                                          curl_xferinfo_callback progress) {
    CURLcode code = CCurl_setReceiver(handle, context, receive);
    if (code == CURLE_OK) code = (curl_easy_setopt)(handle, CURLOPT_READFUNCTION, read);
    if (code == CURLE_OK) code = (curl_easy_setopt)(handle, CURLOPT_READDATA, context);
    if (code == CURLE_OK) code = (curl_easy_setopt)(handle, CURLOPT_XFERINFOFUNCTION, progress);
    if (code == CURLE_OK) code = (curl_easy_setopt)(handle, CURLOPT_XFERINFODATA, context);
    if (code == CURLE_OK) code = (curl_easy_setopt)(handle, CURLOPT_NOPROGRESS, 0L);
    return code;
}

/* Sets a function that libcurl calls with `context` and each command that it sends, among others. */
static inline CURLcode CCurl_setObserver(CURL *handle, void *context, curl_debug_callback observe) {
    CURLcode code = (curl_easy_setopt)(handle, CURLOPT_DEBUGFUNCTION, observe);
    if (code == CURLE_OK) code = (curl_easy_setopt)(handle, CURLOPT_DEBUGDATA, context);
    if (code == CURLE_OK) code = (curl_easy_setopt)(handle, CURLOPT_VERBOSE, 1L);
    return code;
}

/* A number about the last transfer; 0 if it is not known. */
static inline long CCurl_number(CURL *handle, CURLINFO info) {
    long number = 0;
    (curl_easy_getinfo)(handle, info, &number);
    return number;
}

#endif
