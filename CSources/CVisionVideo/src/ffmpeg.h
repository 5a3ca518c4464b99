// FFmpeg's libraries, loaded when the first video is opened: they bring more than a hundred libraries of displays,
// sound and networks, which a program that opens no video should neither need nor load.
#pragma once

#include "CVisionVideo.h"

#if !__has_include(<libavformat/avformat.h>)
#error "FFmpeg's headers are missing. Debian: apt install libavformat-dev libavcodec-dev libavutil-dev libswscale-dev"
#endif
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

struct cvv_ffmpeg {
#define FUNCTION(library, name) __typeof__(&name) name;
#include "ffmpeg_functions.inc"
#undef FUNCTION
};

/// The functions by their names; none may be called before cvv_load_ffmpeg has returned CVV_OK.
extern struct cvv_ffmpeg ffmpeg __attribute__((visibility("hidden")));

/// Loads the libraries of the major versions that the headers are of, from the folder of the environment variable
/// OPENVISION_FFMPEG if it is set. Happens once; later calls return what the first one has. CVV_NO_LIBRARY where a
/// library is missing, of another version, or lacks a function.
cvv_status cvv_load_ffmpeg(char *message);

/// Loads FFmpeg's library of devices, which brings those of displays and sound, and registers them. Happens once.
cvv_status cvv_load_devices(char *message);
