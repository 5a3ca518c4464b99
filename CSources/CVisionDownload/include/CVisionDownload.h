/// Downloads with libcurl, which is loaded when a download starts: nothing is linked, and no header of it is needed.
#ifndef CVISION_DOWNLOAD_H
#define CVISION_DOWNLOAD_H

#include <stdbool.h>
#include <stddef.h>

enum { CVD_MESSAGE_SIZE = 512 };

typedef enum {
    CVD_OK = 0,
    /// The system has no libcurl.
    CVD_NO_LIBRARY,
    /// `receive` or `proceed` asked to stop.
    CVD_STOPPED,
    /// The server, the network or the URL; the message says what.
    CVD_FAILED,
    /// The same, where another try may succeed: no connection, a broken one, or a fault of the server.
    CVD_FAILED_FOR_NOW,
} cvd_status;

typedef struct {
    void *context;
    /// Takes the next bytes; false stops the download.
    bool (*receive)(void *context, const void *bytes, size_t count);
    /// Called about once a second, also while nothing arrives; false stops the download.
    bool (*proceed)(void *context);
} cvd_receiver;

/// Downloads what a URL names. Redirects are followed, ten at most. A connection has to be made in 30 seconds, and a
/// transfer that stands still for 30 seconds fails.
///
/// - allow_http: Whether http is allowed beside https, also for redirects; no other protocol ever is.
/// - final_url, final_size: Receives the URL after redirects; cut where it is too long. NULL and 0 where not wanted.
/// - message: Has room for CVD_MESSAGE_SIZE bytes; receives a text where the status is an error.
cvd_status cvd_download(
    const char *url, bool allow_http, cvd_receiver receiver, char *final_url, size_t final_size, char *message);

#endif
