/* Plans for resampling: which source pixels make an output pixel, and with what weights. A plan lies in memory of the
 * caller's, contains no pointers, and is only read once it is made: any number of threads may use it. */
#ifndef CVK_RESIZE_H
#define CVK_RESIZE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum cvk_filter {
  CVK_FILTER_AREA = 0,             /* the mean of what an output pixel covers, parts of pixels included */
  CVK_FILTER_BILINEAR = 1,         /* between the two nearest pixels, centres at halves; aliases when made smaller */
  CVK_FILTER_SMOOTH_BILINEAR = 2,  /* a triangle as wide as two output pixels when made smaller */
};

/* An image of src_width x src_height of which the rectangle x, y, columns, rows (edges may lie between pixels, all
 * within the image, not empty) becomes dst_width x dst_height. Sizes are from 1 to CVK_RESIZE_LIMIT. */
typedef struct cvk_resize_shape {
  int src_width, src_height;
  double x, y, columns, rows;
  int dst_width, dst_height;
  int channels; /* 1, 3 or 4 of 8 bits; 1 for floats */
  int is_float;
  enum cvk_filter filter;
} cvk_resize_shape;

#define CVK_RESIZE_LIMIT 65536

/* Weights of one axis. Output i is the sum over k < counts[i] of source firsts[i] + k times weights[i * taps + k], the
 * weights behind that being 0. Integers add up to 2^14 exactly. Offsets are bytes from the start of the plan. */
typedef struct cvk_resize_axis {
  int outputs, taps;
  size_t firsts, counts, weights;
} cvk_resize_axis;

typedef struct cvk_resize_plan {
  cvk_resize_shape shape;
  cvk_resize_axis horizontal, vertical;
  int first_column, used_columns; /* of the source; `horizontal` counts from first_column */
  int halves;                     /* area, and every output is 2 x 2 whole pixels */
  size_t scratch_stride, bytes;
} cvk_resize_plan;

/* Bytes that the plan for a shape needs, aligned for any type. */
size_t cvk_resize_plan_bytes(const cvk_resize_shape *shape);
/* Makes the plan in memory of that size. */
void cvk_resize_plan_make(cvk_resize_plan *plan, const cvk_resize_shape *shape);
/* Bytes of scratch memory for a run with the plan. */
size_t cvk_resize_scratch_bytes(const cvk_resize_plan *plan);

/* src is pixel (0, 0) of the whole source. The same bits from every instruction set. */
void cvk_resize_u8(const cvk_resize_plan *plan, uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src,
                   ptrdiff_t src_stride, void *scratch);
void cvk_resize_f32(const cvk_resize_plan *plan, float *dst, ptrdiff_t dst_stride, const float *src,
                    ptrdiff_t src_stride, void *scratch);

/* Where pixel (x, y) of the result of a warp comes from: source column xx * x + xy * y + x0, row yx * x + yy * y + y0,
 * in units of 2^-32 pixel; whole numbers are the centres of pixels. */
typedef struct cvk_affine {
  int64_t xx, xy, x0, yx, yy, y0;
} cvk_affine;

enum cvk_border {
  CVK_BORDER_CONSTANT = 0,  /* a colour outside of the source */
  CVK_BORDER_REPLICATE = 1, /* the nearest pixel of the source */
};

#ifdef __cplusplus
}
#endif

#endif
