#include "ffmpeg.h"

#include "common.h"

#include <dlfcn.h>
#include <libavutil/log.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct cvv_ffmpeg ffmpeg;

struct library {
    const char *file;
    const char *version_function;
    int major;
    void *handle;
};

// In the order in which they need each other, so that a folder's libraries find those of the same folder.
enum { avutil, swscale, avcodec, avformat, LIBRARY_COUNT };

static struct library libraries[LIBRARY_COUNT] = {
#define LIBRARY(name, MAJOR) {"lib" #name ".so." AV_STRINGIFY(MAJOR), #name "_version", MAJOR, NULL}
    [avutil] = LIBRARY(avutil, LIBAVUTIL_VERSION_MAJOR),
    [swscale] = LIBRARY(swscale, LIBSWSCALE_VERSION_MAJOR),
    [avcodec] = LIBRARY(avcodec, LIBAVCODEC_VERSION_MAJOR),
    [avformat] = LIBRARY(avformat, LIBAVFORMAT_VERSION_MAJOR),
#undef LIBRARY
};

static cvv_status load_library(struct library *library, const char *folder, char *message)
{
    char path[4096];
    int length = snprintf(
        path, sizeof path, "%s%s%s", folder ? folder : "", folder && *folder ? "/" : "", library->file);
    if (length < 0 || length >= (int)sizeof path) {
        return cvv_fail(CVV_NO_LIBRARY, message, "the folder of OPENVISION_FFMPEG has too long a name");
    }
    library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library->handle) {
        const char *reason = dlerror();
        return cvv_fail(CVV_NO_LIBRARY, message, "%s", reason ? reason : path);
    }
    unsigned (*version)(void) = (unsigned (*)(void))dlsym(library->handle, library->version_function);
    if (!version) {
        return cvv_fail(CVV_NO_LIBRARY, message, "%s is not FFmpeg's library", path);
    }
    int found = (int)(version() >> 16);
    if (found != library->major) {
        return cvv_fail(
            CVV_NO_LIBRARY, message, "%s is version %d of FFmpeg's library; this program was built for version %d",
            path, found, library->major);
    }
    return CVV_OK;
}

static cvv_status load_all(char *message)
{
    const char *folder = getenv("OPENVISION_FFMPEG");
    for (int i = 0; i < LIBRARY_COUNT; i++) {
        char reason[CVV_MESSAGE_SIZE];
        if (load_library(&libraries[i], folder, reason) != CVV_OK) {
            return cvv_fail(
                CVV_NO_LIBRARY, message,
                "videos need FFmpeg's libraries (Debian 12: apt install libavformat59 libswscale6): %s", reason);
        }
    }
#define FUNCTION(library, name)                                                                                        \
    ffmpeg.name = (__typeof__(ffmpeg.name))dlsym(libraries[library].handle, #name);                                    \
    if (!ffmpeg.name) {                                                                                                \
        return cvv_fail(CVV_NO_LIBRARY, message, "%s has no function " #name, libraries[library].file);                \
    }
#include "ffmpeg_functions.inc"
#undef FUNCTION
    // FFmpeg prints to stderr otherwise, over the tool's own messages.
    ffmpeg.av_log_set_level(AV_LOG_QUIET);
    return CVV_OK;
}

static cvv_status first_status;
static char first_message[CVV_MESSAGE_SIZE];

static void load_first(void)
{
    first_status = load_all(first_message);
}

cvv_status cvv_load_ffmpeg(char *message)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_first);
    return first_status == CVV_OK ? CVV_OK : cvv_fail(first_status, message, "%s", first_message);
}

static cvv_status device_status;
static char device_message[CVV_MESSAGE_SIZE];

static void load_devices(void)
{
    // FFmpeg gives libavdevice and libavformat the same major version in each release.
    struct library library = {
        "libavdevice.so." AV_STRINGIFY(LIBAVFORMAT_VERSION_MAJOR), "avdevice_version", LIBAVFORMAT_VERSION_MAJOR, NULL};
    char reason[CVV_MESSAGE_SIZE];
    if (load_library(&library, getenv("OPENVISION_FFMPEG"), reason) != CVV_OK) {
        device_status = cvv_fail(
            CVV_NO_LIBRARY, device_message,
            "cameras need FFmpeg's library of devices (Debian 12: apt install libavdevice59): %s", reason);
        return;
    }
    void (*register_all)(void) = (void (*)(void))dlsym(library.handle, "avdevice_register_all");
    if (!register_all) {
        device_status = cvv_fail(CVV_NO_LIBRARY, device_message, "%s is not FFmpeg's library", library.file);
        return;
    }
    register_all();
}

cvv_status cvv_load_devices(char *message)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_devices);
    return device_status == CVV_OK ? CVV_OK : cvv_fail(device_status, message, "%s", device_message);
}
