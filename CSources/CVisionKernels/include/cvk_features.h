/* Parameters of the kernels that find, describe and match features of images. */
#ifndef CVK_FEATURES_H
#define CVK_FEATURES_H

#include <stddef.h>
#include <stdint.h>

#define CVK_BLUR_MOST 15          /* radius of a blur */
#define CVK_FEATURE_DIRECTIONS 36 /* parts of a histogram of directions */
#define CVK_FEATURE_BYTES 128     /* of a description */
#define CVK_FEATURE_GROUP 16      /* descriptions that are packed together */

/* Where a feature's patch of 16 x 16 samples lies: sample (i, j) at
 * (x + (i - 7.5) along_x - (j - 7.5) along_y, y + (i - 7.5) along_y + (j - 7.5) along_x), whole numbers being the
 * centres of pixels. Outside of the image the nearest pixel is repeated. */
typedef struct cvk_feature {
  float x, y, along_x, along_y;
} cvk_feature;

/* Floats of scratch memory that a blur of images of that width needs, and a search for extrema. */
static inline size_t cvk_blur_work(int width) { return (size_t)width + 64; }
static inline size_t cvk_extrema_work(int width) { return 9 * ((size_t)width + 64); }

#endif
