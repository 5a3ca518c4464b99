/* Means of rows by running sums, a pixel of four channels at a time. */
#include <string.h>

typedef int32_t sums4 __attribute__((vector_size(16)));
typedef float means4 __attribute__((vector_size(16)));
typedef uint8_t bytes4 __attribute__((vector_size(4)));

inline_always sums4 load_sums(const int32_t *p) {
  sums4 v;
  memcpy(&v, p, sizeof v);
  return v;
}

void VARIANT(cvk_i32_box_row_c4)(uint8_t *dst, const int32_t *src, int width, int taps, float scale) {
  /* Adding this rounds a float below 2^22 to the nearest integer, halves to even, which is then in its lowest bits. */
  const float rounder = 12582912.0f;
  sums4 sum = {0, 0, 0, 0};
  for (int k = 0; k < taps - 1; k++) sum += load_sums(src + 4 * k);
  const int32_t *last = src + 4 * (ptrdiff_t)(taps - 1);
  for (int x = 0; x < width; x++, src += 4, last += 4) {
    sum += load_sums(last);
    const means4 mean = __builtin_convertvector(sum, means4) * scale;
    const sums4 whole = (sums4)(mean + rounder) & 255;
    const bytes4 bytes = __builtin_convertvector(whole, bytes4);
    memcpy(dst + 4 * (ptrdiff_t)x, &bytes, 4);
    sum -= load_sums(src);
  }
}
