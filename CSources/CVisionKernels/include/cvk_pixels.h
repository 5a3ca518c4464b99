/* Parameters of the colour conversions. */
#ifndef CVK_PIXELS_H
#define CVK_PIXELS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In an `order`, a channel that the source does not have: it becomes 255 (opaque). */
#define CVK_OPAQUE 255

/* What the alpha channel of a source means. */
enum cvk_alpha {
  CVK_ALPHA_NONE = 0,       /* nothing: opaque */
  CVK_ALPHA_STRAIGHT = 1,   /* colours are as they would be without it */
  CVK_ALPHA_MULTIPLIED = 2, /* colours are multiplied by it */
};

enum cvk_yuv_standard {
  CVK_YUV_BT601 = 0,
  CVK_YUV_BT709 = 1,
};

/* Y'CbCr to R'G'B', products as (a * b + 2^14) >> 15:
 *   y = ((Y - y_offset) << 7) * y_scale, u = (Cb - 128) << 8, v = (Cr - 128) << 8,
 *   R = y + v * v_to_r, G = y - u * u_to_g - v * v_to_g, B = y + u * u_to_b, all with 6 bits of fraction. */
typedef struct cvk_yuv_matrix {
  int16_t y_offset, y_scale;
  int16_t v_to_r, u_to_g, v_to_g, u_to_b;
} cvk_yuv_matrix;

/* `full_range`: Y from 0 to 255 and chroma over 255 levels, else Y from 16 to 235 and chroma over 224. */
cvk_yuv_matrix cvk_yuv_matrix_make(enum cvk_yuv_standard standard, int full_range);

#ifdef __cplusplus
}
#endif

#endif
