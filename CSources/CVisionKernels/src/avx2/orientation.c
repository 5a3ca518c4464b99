/* Transposes in small squares held in registers, and mirrors. */
#include "internal.h"

#if CVK_X86

#include <immintrin.h>
#include <string.h>

CVK_BEGIN_AVX2

typedef void square(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride);
typedef void reference(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width, int height);

static inline __attribute__((always_inline)) void square_b1(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src,
                                                            ptrdiff_t src_stride) {
  __m128i a[16], b[16];
  for (int i = 0; i < 16; i++) a[i] = _mm_loadu_si128((const __m128i *)(src + i * src_stride));
  /* Four rounds of a perfect shuffle of rows i and i + 8 transpose 16 x 16. */
  for (int round = 0; round < 4; round++) {
    for (int i = 0; i < 8; i++) {
      b[2 * i] = _mm_unpacklo_epi8(a[i], a[i + 8]);
      b[2 * i + 1] = _mm_unpackhi_epi8(a[i], a[i + 8]);
    }
    for (int i = 0; i < 16; i++) a[i] = b[i];
  }
  for (int i = 0; i < 16; i++) _mm_storeu_si128((__m128i *)(dst + i * dst_stride), a[i]);
}

static inline __attribute__((always_inline)) void square_b4(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src,
                                                            ptrdiff_t src_stride) {
  __m256i a[8], b[8];
  for (int i = 0; i < 8; i++) a[i] = _mm256_loadu_si256((const __m256i *)(src + i * src_stride));
  for (int i = 0; i < 8; i += 2) {
    b[i] = _mm256_unpacklo_epi32(a[i], a[i + 1]);
    b[i + 1] = _mm256_unpackhi_epi32(a[i], a[i + 1]);
  }
  for (int i = 0; i < 8; i += 4)
    for (int k = 0; k < 2; k++) {
      a[i + 2 * k] = _mm256_unpacklo_epi64(b[i + k], b[i + k + 2]);
      a[i + 2 * k + 1] = _mm256_unpackhi_epi64(b[i + k], b[i + k + 2]);
    }
  for (int i = 0; i < 4; i++) {
    _mm256_storeu_si256((__m256i *)(dst + i * dst_stride), _mm256_permute2x128_si256(a[i], a[i + 4], 0x20));
    _mm256_storeu_si256((__m256i *)(dst + (i + 4) * dst_stride), _mm256_permute2x128_si256(a[i], a[i + 4], 0x31));
  }
}

static inline __attribute__((always_inline)) __m128i load_12(const uint8_t *p) {
  int last;
  memcpy(&last, p + 8, 4);
  return _mm_insert_epi32(_mm_loadl_epi64((const __m128i *)p), last, 2);
}

static inline __attribute__((always_inline)) void store_12(uint8_t *p, __m128i v) {
  int last = _mm_extract_epi32(v, 2);
  _mm_storel_epi64((__m128i *)p, v);
  memcpy(p + 8, &last, 4);
}

static inline __attribute__((always_inline)) void square_b3(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src,
                                                            ptrdiff_t src_stride) {
  const __m128i spread = _mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
  const __m128i pack = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
  __m128i a[4], b[4];
  for (int i = 0; i < 4; i++) a[i] = _mm_shuffle_epi8(load_12(src + i * src_stride), spread);
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 2; i++) {
      b[2 * i] = _mm_unpacklo_epi32(a[i], a[i + 2]);
      b[2 * i + 1] = _mm_unpackhi_epi32(a[i], a[i + 2]);
    }
    for (int i = 0; i < 4; i++) a[i] = b[i];
  }
  for (int i = 0; i < 4; i++) store_12(dst + i * dst_stride, _mm_shuffle_epi8(a[i], pack));
}

/* Whole squares first, then what is left at the right and at the bottom. */
static inline __attribute__((always_inline)) void transpose(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src,
                                                            ptrdiff_t src_stride, int width, int height, int bytes,
                                                            int side, square *one, reference *rest) {
  int columns = width - width % side, rows = height - height % side;
  for (int y = 0; y < rows; y += side)
    for (int x = 0; x < columns; x += side)
      one(dst + y * dst_stride + (ptrdiff_t)x * bytes, dst_stride, src + x * src_stride + (ptrdiff_t)y * bytes,
          src_stride);
  if (columns < width)
    rest(dst + (ptrdiff_t)columns * bytes, dst_stride, src + columns * src_stride, src_stride, width - columns, height);
  if (rows < height)
    rest(dst + rows * dst_stride, dst_stride, src + (ptrdiff_t)rows * bytes, src_stride, columns, height - rows);
}

void cvk_b1_transpose__avx2(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                            int height) {
  transpose(dst, dst_stride, src, src_stride, width, height, 1, 16, square_b1, cvk_b1_transpose__scalar);
}

void cvk_b3_transpose__avx2(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                            int height) {
  transpose(dst, dst_stride, src, src_stride, width, height, 3, 4, square_b3, cvk_b3_transpose__scalar);
}

void cvk_b4_transpose__avx2(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                            int height) {
  transpose(dst, dst_stride, src, src_stride, width, height, 4, 8, square_b4, cvk_b4_transpose__scalar);
}

void cvk_b1_mirror__avx2(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                         int height) {
  const __m256i reverse = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride) {
    int x = 0;
    for (; x + 32 <= width; x += 32) {
      __m256i v = _mm256_shuffle_epi8(_mm256_loadu_si256((const __m256i *)(src + width - 32 - x)), reverse);
      _mm256_storeu_si256((__m256i *)(dst + x), _mm256_permute4x64_epi64(v, 0x4E));
    }
    cvk_b1_mirror__scalar(dst + x, 0, src, 0, width - x, 1);
  }
}

void cvk_b3_mirror__avx2(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                         int height) {
  const __m128i reverse = _mm_setr_epi8(9, 10, 11, 6, 7, 8, 3, 4, 5, 0, 1, 2, -1, -1, -1, -1);
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride) {
    int x = 0;
    for (; x + 4 <= width; x += 4)
      store_12(dst + 3 * x, _mm_shuffle_epi8(load_12(src + 3 * (width - 4 - x)), reverse));
    cvk_b3_mirror__scalar(dst + 3 * x, 0, src, 0, width - x, 1);
  }
}

void cvk_b4_mirror__avx2(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                         int height) {
  const __m256i reverse = _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0);
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride) {
    int x = 0;
    for (; x + 8 <= width; x += 8) {
      __m256i v = _mm256_loadu_si256((const __m256i *)(src + 4 * (width - 8 - x)));
      _mm256_storeu_si256((__m256i *)(dst + 4 * x), _mm256_permutevar8x32_epi32(v, reverse));
    }
    cvk_b4_mirror__scalar(dst + 4 * x, 0, src, 0, width - x, 1);
  }
}

CVK_END

#endif
