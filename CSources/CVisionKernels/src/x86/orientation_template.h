/* Transposes and mirrors for 256- and 512-bit vectors: see vector.h. A lane holds part of one row of the source, a
 * block is as wide as all lanes together, and the last blocks overlap those before; what is smaller goes to the
 * reference. */
#include "vector.h"

/* A tile has TILE columns of the result, few enough for the source's cache lines to stay in the cache meanwhile. */
enum { LANES = CVK_VECTOR_BITS / 128, TILE = 64 };

/* 16 bytes at p + i * step in lane i. */
static inline __attribute__((always_inline)) vec load_lanes(const uint8_t *p, ptrdiff_t step) {
#define LANE(i) _mm_loadu_si128((const __m128i *)(p + (i) * step))
  return V_JOIN(LANE);
#undef LANE
}

static inline __attribute__((always_inline)) vec swap_lanes(vec v) {
#if CVK_VECTOR_BITS == 256
  return _mm256_permute4x64_epi64(v, 0x4E);
#else
  return _mm512_shuffle_i64x2(v, v, 0x1B);
#endif
}

/* Rounds of a perfect shuffle of the two halves transpose: four of bytes for 16 rows, two of pixels for 4. */
static inline __attribute__((always_inline)) void block_b1(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src,
                                                           ptrdiff_t src_stride) {
  vec a[16], b[16];
  _Pragma("unroll") for (int i = 0; i < 16; i++) a[i] = load_lanes(src + i * src_stride, 16 * src_stride);
  _Pragma("unroll") for (int round = 0; round < 4; round++) {
    _Pragma("unroll") for (int i = 0; i < 8; i++) {
      b[2 * i] = VOP(unpacklo_epi8)(a[i], a[i + 8]);
      b[2 * i + 1] = VOP(unpackhi_epi8)(a[i], a[i + 8]);
    }
    _Pragma("unroll") for (int i = 0; i < 16; i++) a[i] = b[i];
  }
  _Pragma("unroll") for (int i = 0; i < 16; i++) V_STORE(dst + i * dst_stride, a[i]);
}

static inline __attribute__((always_inline)) void turn_pixels(vec a[4]) {
  vec b[4];
  for (int i = 0; i < 2; i++) {
    b[2 * i] = VOP(unpacklo_epi32)(a[i], a[i + 2]);
    b[2 * i + 1] = VOP(unpackhi_epi32)(a[i], a[i + 2]);
  }
  for (int i = 0; i < 2; i++) {
    a[2 * i] = VOP(unpacklo_epi32)(b[i], b[i + 2]);
    a[2 * i + 1] = VOP(unpackhi_epi32)(b[i], b[i + 2]);
  }
}

static inline __attribute__((always_inline)) void block_b4(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src,
                                                           ptrdiff_t src_stride) {
  vec a[4];
  for (int i = 0; i < 4; i++) a[i] = load_lanes(src + i * src_stride, 4 * src_stride);
  turn_pixels(a);
  for (int i = 0; i < 4; i++) V_STORE(dst + i * dst_stride, a[i]);
}

/* `before`: bytes loaded ahead of the pixels, so that nothing behind the row's end is. */
static inline __attribute__((always_inline)) void block_b3(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src,
                                                           ptrdiff_t src_stride, int before) {
  const __m128i indices = _mm_setr_epi8(0, 1, 2, NONE, 3, 4, 5, NONE, 6, 7, 8, NONE, 9, 10, 11, NONE);
  const vec spread = V_LANES(_mm_add_epi8(indices, _mm_set1_epi8((char)before)));
  const vec compact = V_LANES(_mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1));
  vec a[4];
  for (int i = 0; i < 4; i++)
    a[i] = VOP(shuffle_epi8)(load_lanes(src + i * src_stride - before, 4 * src_stride), spread);
  turn_pixels(a);
  for (int i = 0; i < 4; i++) v_store_c3(dst + i * dst_stride, VOP(shuffle_epi8)(a[i], compact));
}

/* A cache line of every row of the source, when a new one begins, is asked for two lines ahead. */
#define TRANSPOSE(kernel, bytes, side, least, block) \
  void VARIANT(kernel)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width, \
                       int height) { \
    enum { WIDE = side * LANES }; \
    if (width < WIDE || height < least) { \
      kernel##__scalar(dst, dst_stride, src, src_stride, width, height); \
      return; \
    } \
    for (int left = 0; left < width; left += TILE) \
      EACH_BLOCK(y, height, side) \
    for (int i = left; i < left + TILE && i < width; i += WIDE) { \
      int x = i + WIDE <= width ? i : width - WIDE; \
      const uint8_t *from = src + x * src_stride + (ptrdiff_t)y * bytes; \
      if (y * bytes % 64 < side * bytes) \
        for (int k = 0; k < WIDE; k++) v_prefetch(from + k * src_stride, 128, 1); \
      block(dst + y * dst_stride + (ptrdiff_t)x * bytes, dst_stride, from, src_stride); \
    } \
  }
TRANSPOSE(cvk_b1_transpose, 1, 16, 16, block_b1)
TRANSPOSE(cvk_b4_transpose, 4, 4, 4, block_b4)
#define BLOCK_B3(dst, dst_stride, src, src_stride) block_b3(dst, dst_stride, src, src_stride, y + 6 <= height ? 0 : 4)
TRANSPOSE(cvk_b3_transpose, 3, 4, 6, BLOCK_B3)

void VARIANT(cvk_b1_mirror)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                            int height) {
  if (width < V_BYTES) {
    cvk_b1_mirror__scalar(dst, dst_stride, src, src_stride, width, height);
    return;
  }
  const vec reverse = V_LANES(_mm_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride)
    EACH_BLOCK(x, width, V_BYTES)
      V_STORE(dst + x, swap_lanes(VOP(shuffle_epi8)(V_LOAD(src + width - V_BYTES - x), reverse)));
}

void VARIANT(cvk_b4_mirror)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                            int height) {
  if (width < V_PIXELS) {
    cvk_b4_mirror__scalar(dst, dst_stride, src, src_stride, width, height);
    return;
  }
#if CVK_VECTOR_BITS == 256
#define REVERSED(v) _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0))
#else
#define REVERSED(v) \
  _mm512_permutexvar_epi32(_mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), v)
#endif
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride)
    EACH_BLOCK(x, width, V_PIXELS) V_STORE(dst + 4 * x, REVERSED(V_LOAD(src + 4 * (width - V_PIXELS - x))));
#undef REVERSED
}

void VARIANT(cvk_b3_mirror)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                            int height) {
  if (width < 4 * V_PIXELS) {
    cvk_b3_mirror__scalar(dst, dst_stride, src, src_stride, width, height);
    return;
  }
  const vec reverse = v_shuffle_c3(_mm_setr_epi8(9, 10, 11, 6, 7, 8, 3, 4, 5, 0, 1, 2, NONE, NONE, NONE, NONE));
#define REVERSED(i) swap_lanes(VOP(shuffle_epi8)(v_lanes_c3(from - 3 * (i) * V_PIXELS), reverse))
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride)
    EACH_BLOCK(x, width, 4 * V_PIXELS) {
      const uint8_t *from = src + 3 * (width - V_PIXELS - x);
      v_store_c3_four(dst + 3 * x, REVERSED(0), REVERSED(1), REVERSED(2), REVERSED(3));
    }
#undef REVERSED
}
