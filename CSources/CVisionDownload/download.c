#include "CVisionDownload.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

// The part of libcurl's binary interface that is used. It has been the same since version 7.19.4 of 2009.
enum option {
    OPTION_TIMEOUT_CONNECT = 78,
    OPTION_NO_SIGNAL = 99,
    OPTION_NO_PROGRESS = 43,
    OPTION_FAIL_ON_ERROR = 45,
    OPTION_FOLLOW = 52,
    OPTION_REDIRECTS = 68,
    OPTION_LOW_SPEED = 19,
    OPTION_LOW_SPEED_TIME = 20,
    OPTION_PROTOCOLS = 181,
    OPTION_REDIRECT_PROTOCOLS = 182,
    OPTION_WRITE_DATA = 10001,
    OPTION_URL = 10002,
    OPTION_ERROR_BUFFER = 10010,
    OPTION_USER_AGENT = 10018,
    OPTION_PROGRESS_DATA = 10057,
    OPTION_WRITE_FUNCTION = 20011,
    OPTION_PROGRESS_FUNCTION = 20056,
};
enum { PROTOCOL_HTTP = 1, PROTOCOL_HTTPS = 2 };
enum { INFO_EFFECTIVE_URL = 0x100001, INFO_RESPONSE_CODE = 0x200002 };
enum { ERROR_SIZE = 256, GLOBAL_ALL = 3 };
enum code {
    CODE_OK = 0,
    CODE_CANNOT_RESOLVE_PROXY = 5,
    CODE_CANNOT_RESOLVE = 6,
    CODE_CANNOT_CONNECT = 7,
    CODE_PARTIAL = 18,
    CODE_HTTP = 22,
    CODE_TIMEOUT = 28,
    CODE_EMPTY_REPLY = 52,
    CODE_SEND = 55,
    CODE_RECEIVE = 56,
    CODE_HTTP2 = 16,
    CODE_HTTP2_STREAM = 92,
};

static struct {
    void *(*easy_init)(void);
    int (*easy_setopt)(void *handle, int option, ...);
    int (*easy_perform)(void *handle);
    int (*easy_getinfo)(void *handle, int info, ...);
    void (*easy_cleanup)(void *handle);
    const char *(*easy_strerror)(int code);
    bool is_loaded;
} curl;

static void load(void)
{
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl-nss.so.4"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++) {
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    }
    if (!library) {
        return;
    }
    int (*global_init)(long flags);
    *(void **)&global_init = dlsym(library, "curl_global_init");
    *(void **)&curl.easy_init = dlsym(library, "curl_easy_init");
    *(void **)&curl.easy_setopt = dlsym(library, "curl_easy_setopt");
    *(void **)&curl.easy_perform = dlsym(library, "curl_easy_perform");
    *(void **)&curl.easy_getinfo = dlsym(library, "curl_easy_getinfo");
    *(void **)&curl.easy_cleanup = dlsym(library, "curl_easy_cleanup");
    *(void **)&curl.easy_strerror = dlsym(library, "curl_easy_strerror");
    curl.is_loaded = global_init && curl.easy_init && curl.easy_setopt && curl.easy_perform && curl.easy_getinfo
        && curl.easy_cleanup && curl.easy_strerror && global_init(GLOBAL_ALL) == CODE_OK;
}

static bool is_available(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return curl.is_loaded;
}

struct transfer {
    cvd_receiver receiver;
    bool is_stopped;
};

static size_t on_bytes(char *bytes, size_t size, size_t count, void *context)
{
    struct transfer *transfer = context;
    if (!transfer->receiver.receive(transfer->receiver.context, bytes, size * count)) {
        transfer->is_stopped = true;
        return 0;
    }
    return size * count;
}

// With numbers as doubles: the newer form came later than the versions that are asked for.
static int on_progress(void *context, double total, double now, double upload_total, double upload_now)
{
    (void)total, (void)now, (void)upload_total, (void)upload_now;
    struct transfer *transfer = context;
    if (!transfer->receiver.proceed(transfer->receiver.context)) {
        transfer->is_stopped = true;
        return 1;
    }
    return 0;
}

static bool is_transient(int code, long response)
{
    switch (code) {
    case CODE_HTTP:
        return response >= 500 || response == 429 || response == 408;
    case CODE_CANNOT_RESOLVE_PROXY:
    case CODE_CANNOT_RESOLVE:
    case CODE_CANNOT_CONNECT:
    case CODE_HTTP2:
    case CODE_PARTIAL:
    case CODE_TIMEOUT:
    case CODE_EMPTY_REPLY:
    case CODE_SEND:
    case CODE_RECEIVE:
    case CODE_HTTP2_STREAM:
        return true;
    default:
        return false;
    }
}

cvd_status cvd_download(
    const char *url, bool allow_http, cvd_receiver receiver, char *final_url, size_t final_size, char *message)
{
    if (!is_available()) {
        snprintf(message, CVD_MESSAGE_SIZE, "downloads need the system's libcurl (Debian: apt-get install libcurl4)");
        return CVD_NO_LIBRARY;
    }
    void *handle = curl.easy_init();
    if (!handle) {
        snprintf(message, CVD_MESSAGE_SIZE, "there is too little memory");
        return CVD_FAILED;
    }
    char error[ERROR_SIZE] = "";
    struct transfer transfer = {receiver, false};
    long protocols = allow_http ? PROTOCOL_HTTP | PROTOCOL_HTTPS : PROTOCOL_HTTPS;
    struct {
        enum option option;
        long value;
    } numbers[] = {
        // The limits of time would otherwise use a signal, which is the program's own.
        {OPTION_NO_SIGNAL, 1},
        {OPTION_NO_PROGRESS, 0},
        {OPTION_FAIL_ON_ERROR, 1},
        {OPTION_FOLLOW, 1},
        {OPTION_REDIRECTS, 10},
        {OPTION_TIMEOUT_CONNECT, 30},
        {OPTION_LOW_SPEED, 1},
        {OPTION_LOW_SPEED_TIME, 30},
        {OPTION_PROTOCOLS, protocols},
        {OPTION_REDIRECT_PROTOCOLS, protocols},
    };
    int code = CODE_OK;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && code == CODE_OK; i++) {
        code = curl.easy_setopt(handle, numbers[i].option, numbers[i].value);
    }
    code = code ? code : curl.easy_setopt(handle, OPTION_URL, url);
    code = code ? code : curl.easy_setopt(handle, OPTION_ERROR_BUFFER, error);
    code = code ? code : curl.easy_setopt(handle, OPTION_USER_AGENT, "OpenVision");
    code = code ? code : curl.easy_setopt(handle, OPTION_WRITE_FUNCTION, on_bytes);
    code = code ? code : curl.easy_setopt(handle, OPTION_WRITE_DATA, &transfer);
    code = code ? code : curl.easy_setopt(handle, OPTION_PROGRESS_FUNCTION, on_progress);
    code = code ? code : curl.easy_setopt(handle, OPTION_PROGRESS_DATA, &transfer);
    code = code ? code : curl.easy_perform(handle);

    long response = 0;
    const char *effective = NULL;
    curl.easy_getinfo(handle, INFO_RESPONSE_CODE, &response);
    if (final_url && final_size) {
        curl.easy_getinfo(handle, INFO_EFFECTIVE_URL, &effective);
        snprintf(final_url, final_size, "%s", effective ? effective : url);
    }
    curl.easy_cleanup(handle);
    if (code == CODE_OK) {
        return CVD_OK;
    }
    if (transfer.is_stopped) {
        snprintf(message, CVD_MESSAGE_SIZE, "stopped");
        return CVD_STOPPED;
    }
    snprintf(message, CVD_MESSAGE_SIZE, "%s", *error ? error : curl.easy_strerror(code));
    return is_transient(code, response) ? CVD_FAILED_FOR_NOW : CVD_FAILED;
}
