// Films in and out, over FFmpeg's libraries: frames to the caller's memory, BGRA frames to a file.
//
// One thread at a time may use a reader or a writer; different ones may be used at once. Functions that can fail return
// a cvf_status and, where they take one, write a message that names the cause to `message`.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CVF_OK = 0,
    /// There are no more frames.
    CVF_END = 1,
    /// The file cannot be opened, read or written.
    CVF_IO = 2,
    /// The bytes are no film, or one without pictures.
    CVF_NOT_A_FILM = 3,
    /// The container is known, the codec or the pixel layout is not.
    CVF_UNSUPPORTED = 4,
    /// More pixels a frame than the limit.
    CVF_TOO_LARGE = 5,
    /// The film breaks off, or changes its size half-way.
    CVF_DAMAGED = 6,
    CVF_NO_MEMORY = 7,
    /// No encoder or container for what is asked.
    CVF_NO_ENCODER = 8,
} cvf_status;

enum { CVF_MESSAGE_SIZE = 256 };

/// What is known of a film once its first frame is decoded. Sizes are those of the upright picture.
typedef struct {
    int32_t width;
    int32_t height;
    /// Frames a second as a fraction; 0/1 when the film does not say.
    int32_t rate_numerator;
    int32_t rate_denominator;
    /// Width of a pixel over its height; 1/1 when the film does not say.
    int32_t aspect_numerator;
    int32_t aspect_denominator;
    /// What the header states or lets estimate; 0 when it says nothing.
    int64_t frame_count;
    /// Y is 0…255 rather than 16…235.
    int32_t full_range;
    /// The colours are BT.709's rather than BT.601's.
    int32_t bt709;
    /// Clockwise quarter turns that the film's metadata asks for, already applied to the frames.
    int32_t quarter_turns;
    char codec[32];
} cvf_film;

typedef struct cvf_reader cvf_reader;

/// Opens a film of the local disk and decodes its first frame. `message` has CVF_MESSAGE_SIZE bytes.
cvf_status cvf_reader_open(
    const char *path, int64_t pixel_limit, int threads, cvf_reader **reader, cvf_film *film, char *message);

/// Goes to the next frame; the first call goes to the first. After anything but CVF_OK there is no current frame.
cvf_status cvf_reader_next(cvf_reader *reader, char *message);

/// Copies the current frame as 8-bit 4:2:0: a plane of Y and one of Cb, Cr pairs of half the size, rounded up.
cvf_status cvf_reader_copy_420(
    cvf_reader *reader, uint8_t *luma, ptrdiff_t luma_stride, uint8_t *chroma, ptrdiff_t chroma_stride, char *message);

/// Copies the current frame as B, G, R, A bytes.
cvf_status cvf_reader_copy_bgra(cvf_reader *reader, uint8_t *pixels, ptrdiff_t stride, char *message);

/// When the current frame is to be shown, in seconds after the first; NaN when the film does not say.
double cvf_reader_time(const cvf_reader *reader);

/// Packets so far that could not be decoded.
int64_t cvf_reader_damaged_packets(const cvf_reader *reader);

void cvf_reader_close(cvf_reader *reader);

typedef struct cvf_writer cvf_writer;

/// Creates a film; the end of the path says which container. `encoder` (32 bytes) gets the name of the encoder used.
/// An odd last column or row is left out: 4:2:0 films have even sizes.
cvf_status cvf_writer_open(
    const char *path, int32_t width, int32_t height, int32_t rate_numerator, int32_t rate_denominator,
    int32_t aspect_numerator, int32_t aspect_denominator, int threads, cvf_writer **writer, char *encoder, char *message);

/// Adds a frame of B, G, R, A bytes of the size given at the start. `tick` says when it is to be shown, in units of one
/// over the frame rate; frames must be added in the order of their ticks, and one that is not later than the frame
/// before is moved behind it.
cvf_status cvf_writer_add(cvf_writer *writer, int64_t tick, const uint8_t *pixels, ptrdiff_t stride, char *message);

/// Writes what is still held back and the end of the file. Nothing may be added afterwards.
cvf_status cvf_writer_finish(cvf_writer *writer, char *message);

/// Frees the writer. Without a `finish` before, the file is left unfinished.
void cvf_writer_close(cvf_writer *writer);

#ifdef __cplusplus
}
#endif
