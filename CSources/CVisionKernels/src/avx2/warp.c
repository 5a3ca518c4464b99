/* Affine warp: the part of a row whose four neighbours all lie inside goes through registers, the rest to the reference. */
#include "internal.h"

#if CVK_X86

#include <immintrin.h>
#include <string.h>

CVK_BEGIN_AVX2

enum { BITS = 7, ONE = 1 << BITS, SHIFT = 32 - BITS };

/* Eight bytes hold a pixel and its right neighbour; `pairs` puts their values of a channel side by side. */
static inline __attribute__((always_inline)) __m128i blend(const uint8_t *p, ptrdiff_t stride, int right, int down,
                                                           __m128i pairs) {
  __m128i across = _mm_set1_epi32((ONE - right) | right << 16);
  __m128i upper = _mm_madd_epi16(_mm_shuffle_epi8(_mm_loadl_epi64((const __m128i *)p), pairs), across);
  __m128i lower = _mm_madd_epi16(_mm_shuffle_epi8(_mm_loadl_epi64((const __m128i *)(p + stride)), pairs), across);
  /* At most 255 * 128: both fit in one element. */
  __m128i both = _mm_or_si128(upper, _mm_slli_epi32(lower, 16));
  __m128i sum = _mm_madd_epi16(both, _mm_set1_epi32((ONE - down) | down << 16));
  return _mm_srli_epi32(_mm_add_epi32(sum, _mm_set1_epi32(1 << (2 * BITS - 1))), 2 * BITS);
}

static inline __attribute__((always_inline)) void inner(uint8_t *dst, const uint8_t *src, ptrdiff_t src_stride, int count,
                                                        int channels, int64_t column, int64_t row, int64_t xx, int64_t yx) {
  const __m128i pairs = channels == 4   ? _mm_setr_epi8(0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1)
                        : channels == 3 ? _mm_setr_epi8(0, -1, 3, -1, 1, -1, 4, -1, 2, -1, 5, -1, -1, -1, -1, -1)
                                        : _mm_setr_epi8(0, -1, 1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
  for (int x = 0; x < count; x++, column += xx, row += yx, dst += channels) {
    int right = (int)(column >> SHIFT) & (ONE - 1), down = (int)(row >> SHIFT) & (ONE - 1);
    __m128i pixel = blend(src + (row >> 32) * src_stride + (column >> 32) * channels, src_stride, right, down, pairs);
    pixel = _mm_packus_epi16(_mm_packs_epi32(pixel, pixel), pixel);
    int bytes = _mm_cvtsi128_si32(pixel);
    memcpy(dst, &bytes, (size_t)channels);
  }
}

/* One channel: four pixels at a time, each with its 2 x 2 neighbours as four bytes of an element. */
static inline __attribute__((always_inline)) void inner_c1(uint8_t *dst, const uint8_t *src, ptrdiff_t src_stride,
                                                           int count, int64_t column, int64_t row, int64_t xx,
                                                           int64_t yx) {
  const __m128i fraction = _mm_set1_epi32(ONE - 1), one = _mm_set1_epi32(ONE);
  const __m128i left = _mm_setr_epi8(0, -1, 1, -1, 4, -1, 5, -1, 8, -1, 9, -1, 12, -1, 13, -1);
  const __m128i below = _mm_setr_epi8(2, -1, 3, -1, 6, -1, 7, -1, 10, -1, 11, -1, 14, -1, 15, -1);
  int x = 0;
  for (; x + 4 <= count; x += 4) {
    int quad[4], across[4], down[4];
    for (int i = 0; i < 4; i++, column += xx, row += yx) {
      const uint8_t *p = src + (row >> 32) * src_stride + (column >> 32);
      uint16_t upper, lower;
      memcpy(&upper, p, 2);
      memcpy(&lower, p + src_stride, 2);
      quad[i] = (int)(upper | (uint32_t)lower << 16);
      across[i] = (int)(column >> SHIFT);
      down[i] = (int)(row >> SHIFT);
    }
    __m128i pixels = _mm_loadu_si128((const __m128i *)quad);
    __m128i r = _mm_and_si128(_mm_loadu_si128((const __m128i *)across), fraction);
    __m128i d = _mm_and_si128(_mm_loadu_si128((const __m128i *)down), fraction);
    r = _mm_or_si128(_mm_sub_epi32(one, r), _mm_slli_epi32(r, 16));
    d = _mm_or_si128(_mm_sub_epi32(one, d), _mm_slli_epi32(d, 16));
    __m128i upper = _mm_madd_epi16(_mm_shuffle_epi8(pixels, left), r);
    __m128i lower = _mm_madd_epi16(_mm_shuffle_epi8(pixels, below), r);
    __m128i sum = _mm_madd_epi16(_mm_or_si128(upper, _mm_slli_epi32(lower, 16)), d);
    sum = _mm_srli_epi32(_mm_add_epi32(sum, _mm_set1_epi32(1 << (2 * BITS - 1))), 2 * BITS);
    int bytes = _mm_cvtsi128_si32(_mm_packus_epi16(_mm_packs_epi32(sum, sum), sum));
    memcpy(dst + x, &bytes, 4);
  }
  inner(dst + x, src, src_stride, count - x, 1, column, row, xx, yx);
}

static inline void fill(uint8_t *dst, int count, int channels, const uint8_t *colour) {
  if (channels == 1) {
    memset(dst, colour[0], (size_t)count);
    return;
  }
  for (int x = 0; x < count; x++, dst += channels)
    for (int c = 0; c < channels; c++) dst[c] = colour[c];
}

void cvk_u8_warp_affine__avx2(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                              int height, int src_width, int src_height, int channels, const cvk_affine *map, int border,
                              const uint8_t *colour) {
  /* Eight bytes are loaded at a pixel, so it must not be too close to the end of its row. */
  const int64_t last_column = src_width - (channels == 1 ? 8 : channels == 3 ? 3 : 2), last_row = src_height - 2;
  const int64_t half = (int64_t)1 << (SHIFT - 1);
  for (int y = 0; y < height; y++, dst += dst_stride) {
    /* Rounded as the reference does it: then the whole part is the upper half. */
    int64_t column = map->xy * y + map->x0 + half, row = map->yy * y + map->y0 + half;
#define INSIDE(x) \
  ((uint64_t)((column + map->xx * (x)) >> 32) <= (uint64_t)last_column && \
   (uint64_t)((row + map->yx * (x)) >> 32) <= (uint64_t)last_row)
    int start = 0, end = last_column < 0 || last_row < 0 ? 0 : width;
    while (start < end && !INSIDE(start)) start++;
    while (end > start && !INSIDE(end - 1)) end--;
    if (channels == 4)
      inner(dst + 4 * start, src, src_stride, end - start, 4, column + map->xx * start, row + map->yx * start, map->xx,
            map->yx);
    else if (channels == 3)
      inner(dst + 3 * start, src, src_stride, end - start, 3, column + map->xx * start, row + map->yx * start, map->xx,
            map->yx);
    else
      inner_c1(dst + start, src, src_stride, end - start, column + map->xx * start, row + map->yx * start, map->xx,
               map->yx);
    /* What lies wholly outside is next to both ends of the row, the pixels that touch the edge between. */
    int first = 0, last = width;
#define OUTSIDE(x) \
  ((uint64_t)(((column + map->xx * (x)) >> 32) + 1) > (uint64_t)src_width || \
   (uint64_t)(((row + map->yx * (x)) >> 32) + 1) > (uint64_t)src_height)
    if (border == CVK_BORDER_CONSTANT) {
      while (first < start && OUTSIDE(first)) first++;
      while (last > end && OUTSIDE(last - 1)) last--;
      fill(dst, first, channels, colour);
      fill(dst + (ptrdiff_t)last * channels, width - last, channels, colour);
    }
    for (int side = 0; side < 2; side++) {
      int from = side ? end : first, to = side ? last : start;
      cvk_affine moved = *map;
      moved.x0 += map->xx * from + map->xy * y;
      moved.y0 += map->yx * from + map->yy * y;
      if (from < to)
        cvk_u8_warp_affine__scalar(dst + (ptrdiff_t)from * channels, dst_stride, src, src_stride, to - from, 1, src_width,
                                   src_height, channels, &moved, border, colour);
    }
#undef INSIDE
#undef OUTSIDE
  }
}

CVK_END

#endif
