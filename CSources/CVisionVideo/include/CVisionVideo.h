// Reading and writing videos with FFmpeg's libraries: frames to the caller's memory, BGRA frames to a file.
// The libraries are loaded when the first video is opened or created.
//
// One thread at a time may use a reader or a writer; different ones may be used at once. Functions that can fail return
// a cvv_status and, where they take one, write a message that names the cause to `message`.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CVV_OK = 0,
    /// There are no more frames.
    CVV_END = 1,
    /// The file cannot be opened, read or written.
    CVV_IO = 2,
    /// The bytes are not a video, or have no video stream.
    CVV_NOT_A_VIDEO = 3,
    /// The container is known, the codec or the pixel layout is not.
    CVV_UNSUPPORTED = 4,
    /// More pixels a frame than the limit.
    CVV_TOO_LARGE = 5,
    /// The video is truncated, or changes its size.
    CVV_DAMAGED = 6,
    CVV_NO_MEMORY = 7,
    /// No encoder or container for the request.
    CVV_NO_ENCODER = 8,
    /// FFmpeg's libraries are not installed, or are of another major version than the headers this was built with.
    CVV_NO_LIBRARY = 9,
    /// The source sent nothing for longer than the timeout.
    CVV_TIMEOUT = 10,
    /// cvv_cancel was called.
    CVV_CANCELLED = 11,
} cvv_status;

enum { CVV_MESSAGE_SIZE = 512 };

/// The properties of a video, known once its first frame is decoded. Sizes are those of the upright image.
typedef struct {
    int32_t width;
    int32_t height;
    /// Frames a second as a fraction; 0/1 when the video does not state it.
    int32_t rate_numerator;
    int32_t rate_denominator;
    /// Width of a pixel over its height; 1/1 when the video does not state it.
    int32_t aspect_numerator;
    int32_t aspect_denominator;
    /// As the header states it, or estimated from it; 0 where neither is possible.
    int64_t frame_count;
    /// Y is 0…255 rather than 16…235.
    int32_t full_range;
    /// The colours are BT.709's rather than BT.601's.
    int32_t bt709;
    /// Clockwise quarter turns that the video's metadata asks for, already applied to the frames.
    int32_t quarter_turns;
    char codec[32];
} cvv_video;

typedef enum {
    /// A file of the local disk.
    CVV_FILE,
    /// An address with the scheme http, https or rtsp. No other protocol and no playlist is followed.
    CVV_NETWORK,
    /// A device of Video4Linux.
    CVV_DEVICE,
    /// An open file descriptor that is read from its start to its end, such as a pipe.
    CVV_PIPE,
} cvv_source_kind;

/// What to open, and how.
typedef struct {
    cvv_source_kind kind;
    /// The path or the address; not used for CVV_PIPE.
    const char *address;
    /// The descriptor of a CVV_PIPE; it stays open.
    int descriptor;
    /// Bytes of the CVV_PIPE that were read from the descriptor already. Copied.
    const uint8_t *prefix;
    size_t prefix_size;
    /// The most pixels of a frame.
    int64_t pixel_limit;
    /// The number of threads that decode.
    int threads;
    /// The longest time to open the source, and to wait for a frame after that; 0 for no limit. Files have none.
    int64_t timeout_milliseconds;
    /// The size and the rate asked of a CVV_DEVICE, such as "1280x720" and "30"; NULL for what it has.
    const char *device_size;
    const char *device_rate;
} cvv_source;

/// Ends calls on a reader from another thread.
typedef struct cvv_cancellation cvv_cancellation;

/// Returns NULL where memory is short.
cvv_cancellation *cvv_cancellation_create(void);
/// Lets the calls on readers of this cancellation return CVV_CANCELLED, now and later. Any thread may call it.
void cvv_cancel(cvv_cancellation *cancellation);
/// No reader may use it any more.
void cvv_cancellation_free(cvv_cancellation *cancellation);

typedef struct cvv_reader cvv_reader;

/// Opens a video and decodes its first frame. `message` has CVV_MESSAGE_SIZE bytes. `cancellation` may be NULL, and
/// must live as long as the reader.
cvv_status cvv_reader_open(
    const cvv_source *source, cvv_cancellation *cancellation, cvv_reader **reader, cvv_video *video, char *message);

/// Goes to the next frame; the first call goes to the first. After anything but CVV_OK there is no current frame.
cvv_status cvv_reader_next(cvv_reader *reader, char *message);

/// Copies the current frame as 8-bit 4:2:0: a plane of Y and one of Cb, Cr pairs of half the size, rounded up.
cvv_status cvv_reader_copy_420(
    cvv_reader *reader, uint8_t *luma, ptrdiff_t luma_stride, uint8_t *chroma, ptrdiff_t chroma_stride, char *message);

/// Copies the current frame as B, G, R, A bytes.
cvv_status cvv_reader_copy_bgra(cvv_reader *reader, uint8_t *pixels, ptrdiff_t stride, char *message);

/// When the current frame is to be shown, in seconds after the first; NaN when the video does not state it.
double cvv_reader_time(const cvv_reader *reader);

/// Packets so far that could not be decoded.
int64_t cvv_reader_damaged_packets(const cvv_reader *reader);

void cvv_reader_close(cvv_reader *reader);

typedef struct cvv_writer cvv_writer;

/// Creates a video; the file name's extension selects the container. `encoder` (32 bytes) gets the name of the encoder
/// used. An odd last column or row is left out: 4:2:0 videos have even sizes.
cvv_status cvv_writer_open(
    const char *path, int32_t width, int32_t height, int32_t rate_numerator, int32_t rate_denominator,
    int32_t aspect_numerator, int32_t aspect_denominator, int threads, cvv_writer **writer, char *encoder,
    char *message);

/// Adds a frame of B, G, R, A bytes of the size given at the start. `tick` is its presentation time, in units of one
/// over the frame rate; frames must be added in the order of their ticks, and one that is not later than the frame
/// before is moved behind it.
cvv_status cvv_writer_add(cvv_writer *writer, int64_t tick, const uint8_t *pixels, ptrdiff_t stride, char *message);

/// Writes the delayed frames and the end of the file. Nothing may be added afterwards.
cvv_status cvv_writer_finish(cvv_writer *writer, char *message);

/// Frees the writer. Without a `finish` before, the file is left unfinished.
void cvv_writer_close(cvv_writer *writer);

#ifdef __cplusplus
}
#endif
