/* The interface of the checks (pixels.c, resize.c, fourier.c, tracking.c …).
 *
 * For every kernel `k` of kernels.inc there must be a function `void cvk_check_k(cvk_check *check)`; without it the
 * checks do not link. It has this form:
 *
 *   void cvk_check_k(cvk_check *check) {
 *     while (cvk_next_case(check)) {                        // as many cases as the caller asked for
 *       int width = cvk_size(check, 100), height = cvk_size(check, 9);
 *       cvk_buffer source = cvk_source(check, width * 4, height, 1);
 *       cvk_buffer wanted = cvk_result(check, width, height, 1);
 *       k__scalar(wanted.bytes, wanted.stride, source.bytes, source.stride, width, height);
 *       CVK_EACH_VARIANT(check, k, variant) {               // scalar too: its guard bytes are checked as well
 *         cvk_buffer got = cvk_result_like(check, wanted);
 *         variant(got.bytes, got.stride, source.bytes, source.stride, width, height);
 *         cvk_expect_equal(check, wanted, got);
 *       }
 *     }
 *   }
 *
 * Buffers live until the next case. Each ends (or starts) flush with a page that must not be touched, so that a read
 * outside a source is a crash at the faulty instruction; results are surrounded by guard bytes, and so are their rows.
 */
#ifndef CVK_CHECK_H
#define CVK_CHECK_H

#include <stdint.h>

#include "internal.h"

typedef struct cvk_check cvk_check;

/* Rows of memory; `stride` may be larger than `row_bytes`: the rest is padding. */
typedef struct cvk_buffer {
  uint8_t *bytes; /* first row */
  ptrdiff_t stride;
  int row_bytes, rows;
  uint8_t *whole; /* with the guards around it */
  size_t whole_bytes;
} cvk_buffer;

/* The type of a pointer to kernel `name`: name__function. */
#define CVK_KERNEL(name, parameters, arguments, avx2, avx512, neon) typedef void(*name##__function) parameters;
#include "kernels.inc"
#undef CVK_KERNEL

/* True while there are cases left; frees the buffers of the case before. */
int cvk_next_case(cvk_check *check);

/* The number of the current case, from 0: the first ones are for extremes that random numbers would not reach. */
int cvk_case(const cvk_check *check);

/* Iterates over the variants of kernel `name` that this machine supports, scalar first; `variable` is the function. */
#define CVK_EACH_VARIANT(check, name, variable) \
  for (name##__function variable; (variable = (name##__function)cvk_next_variant(check));)
void (*cvk_next_variant(cvk_check *check))(void);

/* Random numbers, the same for the same seed. */
uint64_t cvk_random(cvk_check *check);
int cvk_between(cvk_check *check, int low, int high);             /* both included */
float cvk_float_between(cvk_check *check, float low, float high); /* both included */
/* A random size from 1 to `most`: often 1, a power of two or its neighbour. */
int cvk_size(cvk_check *check, int most);

/* `rows` rows of `row_bytes` with a random padding; strides and addresses are multiples of `alignment` (the size of an
 * element; a power of two up to 64). Bytes are random, or all 0, all 255, or extremes only. */
cvk_buffer cvk_source(cvk_check *check, int row_bytes, int rows, int alignment);

/* A source of floats between `low` and `high`; sometimes all of them are `low`, `high`, or one of the two. */
cvk_buffer cvk_float_source(cvk_check *check, int floats_per_row, int rows, float low, float high);

/* Replaces about one in eight floats of a buffer by NaN, infinities, denormals, negative zero and huge values. */
void cvk_add_special_floats(cvk_check *check, cvk_buffer buffer);

/* Memory for results, filled with random bytes, guard bytes before the first row, after the last and between. */
cvk_buffer cvk_result(cvk_check *check, int row_bytes, int rows, int alignment);

/* The same, with the contents and guards of `other`: for the result of a variant, or for in-place operation. */
cvk_buffer cvk_result_like(cvk_check *check, cvk_buffer other);

/* Compare the current variant's result with the expected one. `got` must come from cvk_result_like of a buffer with the
 * guards of `wanted`. All of them also check that guards and padding have not changed. A difference is reported with
 * its position. */
void cvk_expect_equal(cvk_check *check, cvk_buffer wanted, cvk_buffer got);
/* |got - wanted| <= absolute + relative * |wanted|; a NaN equals a NaN, an infinity of the same sign likewise. */
void cvk_expect_close(cvk_check *check, cvk_buffer wanted, cvk_buffer got, float absolute, float relative);
/* A condition of the current variant (or, outside of CVK_EACH_VARIANT, of scalar), with the text to report. */
void cvk_expect(cvk_check *check, int condition, const char *what);

#endif
