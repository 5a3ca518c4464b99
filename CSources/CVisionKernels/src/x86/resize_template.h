/* The passes of resizing for 256- and 512-bit vectors: see vector.h. */
#include "vector.h"

void VARIANT(cvk_u8_resize_columns)(int16_t *dst, const uint8_t *src, ptrdiff_t src_stride, int width,
                                    const int16_t *weights, int taps) {
  enum { BLOCK = 4 * V_WORDS };
  if (width < BLOCK) {
    cvk_u8_resize_columns__scalar(dst, src, src_stride, width, weights, taps);
    return;
  }
  const vec half = VOP(set1_epi32)(64);
  EACH_BLOCK(x, width, BLOCK) {
    vec low[4] = {half, half, half, half}, high[4] = {half, half, half, half};
    const uint8_t *a = src + x;
    for (int k = 0; k < taps; k += 2, a += 2 * src_stride) {
      const uint8_t *b = k + 1 < taps ? a + src_stride : a; /* weight 0 behind the last row */
      int pair;
      memcpy(&pair, weights + k, 4);
      const vec both = VOP(set1_epi32)(pair);
      v_prefetch(a, taps * src_stride, BLOCK);
      v_prefetch(b, taps * src_stride, BLOCK);
      for (int i = 0; i < 4; i++) {
        vec upper = V_FROM_U8_16(a + i * V_WORDS), lower = V_FROM_U8_16(b + i * V_WORDS);
        low[i] = VOP(add_epi32)(low[i], VOP(madd_epi16)(VOP(unpacklo_epi16)(upper, lower), both));
        high[i] = VOP(add_epi32)(high[i], VOP(madd_epi16)(VOP(unpackhi_epi16)(upper, lower), both));
      }
    }
    for (int i = 0; i < 4; i++)
      V_STORE(dst + x + i * V_WORDS, VOP(packs_epi32)(VOP(srai_epi32)(low[i], 7), VOP(srai_epi32)(high[i], 7)));
  }
}

enum { LANES = CVK_VECTOR_BITS / 128 }; /* a row in each */

static inline __attribute__((always_inline)) vec load_lanes(const int16_t *const rows[LANES], ptrdiff_t at) {
#define LANE(i) _mm_loadu_si128((const __m128i *)(rows[i] + at))
  return V_JOIN(LANE);
#undef LANE
}

static inline __attribute__((always_inline)) __m128i lane(vec v, int i) {
#if CVK_VECTOR_BITS == 256
  return i == 0 ? _mm256_castsi256_si128(v) : _mm256_extracti128_si256(v, 1);
#else
  return i == 0   ? _mm512_castsi512_si128(v)
         : i == 1 ? _mm512_extracti32x4_epi32(v, 1)
         : i == 2 ? _mm512_extracti32x4_epi32(v, 2)
                  : _mm512_extracti32x4_epi32(v, 3);
#endif
}

/* The sums of one output in 32-bit elements: one a channel (c3, c4), or four partial ones (c1). */
static inline __attribute__((always_inline)) vec sum_taps(const int16_t *const rows[LANES], int first,
                                                          const int16_t *weights, int taps, int channels) {
  vec sum = V_ZERO();
  const int16_t *const *r = rows;
  ptrdiff_t at = (ptrdiff_t)first * channels;
  if (channels == 1) {
    for (int k = 0; k < taps; k += 8)
      sum = VOP(add_epi32)(
          sum, VOP(madd_epi16)(load_lanes(r, at + k), V_LANES(_mm_loadu_si128((const __m128i *)(weights + k)))));
    return sum;
  }
  /* Two neighbouring pixels; their values of one channel side by side. */
  const vec pairs = channels == 3
                        ? V_LANES(_mm_setr_epi8(0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11, -1, -1, -1, -1))
                        : V_LANES(_mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
  for (int k = 0; k < taps; k += 2, at += 2 * channels) {
    int pair;
    memcpy(&pair, weights + k, 4);
    sum = VOP(add_epi32)(sum, VOP(madd_epi16)(VOP(shuffle_epi8)(load_lanes(r, at), pairs), VOP(set1_epi32)(pair)));
  }
  return sum;
}

static inline __attribute__((always_inline)) void store_four(uint8_t *dst, __m128i pixels, int channels) {
  if (channels == 4) {
    _mm_storeu_si128((__m128i *)dst, pixels);
  } else if (channels == 3) {
    pixels = _mm_shuffle_epi8(pixels, _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1));
    int last = _mm_extract_epi32(pixels, 2);
    _mm_storel_epi64((__m128i *)dst, pixels);
    memcpy(dst + 8, &last, 4);
  } else {
    int four = _mm_cvtsi128_si32(pixels);
    memcpy(dst, &four, 4);
  }
}

static inline __attribute__((always_inline)) void resize_rows(uint8_t *dst, ptrdiff_t dst_stride, const int16_t *src,
                                                              ptrdiff_t src_stride, int width, int height,
                                                              const int32_t *firsts, const int16_t *weights, int taps,
                                                              int channels) {
  const vec half = VOP(set1_epi32)(1 << 20);
  for (int y = 0; y < height; y += LANES) {
    int rows = height - y < LANES ? height - y : LANES;
    const int16_t *in[LANES];
    for (int i = 0; i < LANES; i++) /* lanes too many work on the last row */
      in[i] = CONST_ROW(int16_t, src, src_stride, y + (i < rows ? i : rows - 1));
    EACH_BLOCK(x, width, 4) {
      vec s[4];
      for (int i = 0; i < 4; i++)
        s[i] = sum_taps(in, firsts[x + i], weights + (ptrdiff_t)(x + i) * taps, taps, channels);
      vec bytes;
      if (channels == 1) {
        vec a = VOP(add_epi32)(VOP(unpacklo_epi32)(s[0], s[1]), VOP(unpackhi_epi32)(s[0], s[1]));
        vec b = VOP(add_epi32)(VOP(unpacklo_epi32)(s[2], s[3]), VOP(unpackhi_epi32)(s[2], s[3]));
        vec sums = VOP(add_epi32)(VOP(unpacklo_epi64)(a, b), VOP(unpackhi_epi64)(a, b));
        vec words = VOP(srai_epi32)(VOP(add_epi32)(sums, half), 21);
        words = VOP(packs_epi32)(words, words);
        bytes = VOP(packus_epi16)(words, words);
      } else {
        for (int i = 0; i < 4; i++) s[i] = VOP(srai_epi32)(VOP(add_epi32)(s[i], half), 21);
        bytes = VOP(packus_epi16)(VOP(packs_epi32)(s[0], s[1]), VOP(packs_epi32)(s[2], s[3]));
      }
      for (int i = 0; i < LANES; i++)
        if (i < rows) store_four(dst + (y + i) * dst_stride + (ptrdiff_t)x * channels, lane(bytes, i), channels);
    }
  }
}

/* One channel and two taps, as when an image is enlarged: words for 16 outputs come from one address in the source, or
 * else pair by pair (not by gathering loads, which are slow on many machines since they were made safe). */
static inline __attribute__((always_inline)) int pair_at(const int16_t *p) {
  int pair;
  memcpy(&pair, p, 4);
  return pair;
}

#define AT(offset) pair_at(row + (offset))
#if CVK_VECTOR_BITS == 256
typedef struct pairs_of_row {
  vec order[2]; /* lane by lane outputs 0 to 3 and 8 to 11, then 4 to 7 and 12 to 15 */
  int near;     /* every lane's outputs are made from 8 neighbours */
} pairs_of_row;

static inline __attribute__((always_inline)) vec both_lanes(const void *low, const void *high) {
  __m256i v = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)low));
  return _mm256_inserti128_si256(v, _mm_loadu_si128((const __m128i *)high), 1);
}

static inline __attribute__((always_inline)) pairs_of_row find_pairs(const int32_t *firsts) {
  pairs_of_row found;
  vec far = V_ZERO();
  for (int i = 0; i < 2; i++) {
    vec at = both_lanes(firsts + 4 * i, firsts + 4 * i + 8);
    at = _mm256_sub_epi32(at, _mm256_shuffle_epi32(at, 0));
    far = V_OR(far, _mm256_xor_si256(at, _mm256_min_epu32(at, _mm256_set1_epi32(6))));
    found.order[i] = _mm256_add_epi8(_mm256_mullo_epi32(at, _mm256_set1_epi32(0x02020202)),
                                     _mm256_set1_epi32(0x03020100));
  }
  found.near = _mm256_testz_si256(far, far);
  return found;
}

static inline __attribute__((always_inline)) __m128i sum_pairs_c1(const int16_t *row, const int32_t *firsts,
                                                                  const int16_t *weights, const pairs_of_row *pairs) {
  vec sums[2];
  for (int i = 0; i < 2; i++) {
    const int32_t *low = firsts + 4 * i, *high = low + 8;
    vec words = pairs->near ? _mm256_shuffle_epi8(both_lanes(row + *low, row + *high), pairs->order[i])
                            : _mm256_setr_epi32(AT(low[0]), AT(low[1]), AT(low[2]), AT(low[3]), AT(high[0]),
                                                AT(high[1]), AT(high[2]), AT(high[3]));
    vec sum = _mm256_madd_epi16(words, both_lanes(weights + 8 * i, weights + 8 * i + 16));
    sums[i] = _mm256_srai_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(1 << 20)), 21);
  }
  vec bytes = _mm256_packs_epi32(sums[0], sums[1]);
  return _mm256_castsi256_si128(_mm256_permute4x64_epi64(_mm256_packus_epi16(bytes, bytes), 0x08));
}
#else
typedef struct pairs_of_row {
  vec order;
  int near; /* all outputs are made from 32 neighbours */
} pairs_of_row;

static inline __attribute__((always_inline)) pairs_of_row find_pairs(const int32_t *firsts) {
  vec at = _mm512_sub_epi32(V_LOAD(firsts), _mm512_set1_epi32(firsts[0]));
  vec order = _mm512_add_epi32(V_OR(at, _mm512_slli_epi32(at, 16)), _mm512_set1_epi32(1 << 16));
  return (pairs_of_row){order, _mm512_cmpgt_epu32_mask(at, _mm512_set1_epi32(30)) == 0};
}

static inline __attribute__((always_inline)) __m128i sum_pairs_c1(const int16_t *row, const int32_t *firsts,
                                                                  const int16_t *weights, const pairs_of_row *pairs) {
  vec words = pairs->near ? _mm512_permutexvar_epi16(pairs->order, V_LOAD(row + firsts[0]))
                          : _mm512_setr_epi32(AT(firsts[0]), AT(firsts[1]), AT(firsts[2]), AT(firsts[3]),
                                              AT(firsts[4]), AT(firsts[5]), AT(firsts[6]), AT(firsts[7]),
                                              AT(firsts[8]), AT(firsts[9]), AT(firsts[10]), AT(firsts[11]),
                                              AT(firsts[12]), AT(firsts[13]), AT(firsts[14]), AT(firsts[15]));
  vec sum = _mm512_srai_epi32(_mm512_add_epi32(_mm512_madd_epi16(words, V_LOAD(weights)), _mm512_set1_epi32(1 << 20)),
                              21);
  return _mm512_cvtusepi32_epi8(_mm512_max_epi32(sum, V_ZERO()));
}
#endif
#undef AT

static inline void resize_rows_by_pairs(uint8_t *dst, ptrdiff_t dst_stride, const int16_t *src, ptrdiff_t src_stride,
                                        int width, int height, const int32_t *firsts, const int16_t *weights) {
  EACH_BLOCK(x, width, 16) {
    const pairs_of_row pairs = find_pairs(firsts + x);
    for (int y = 0; y < height; y++)
      _mm_storeu_si128((__m128i *)(dst + y * dst_stride + x), sum_pairs_c1(CONST_ROW(int16_t, src, src_stride, y),
                                                                           firsts + x, weights + 2 * x, &pairs));
  }
}

#define ROWS(count) \
  void VARIANT(cvk_u8_resize_rows_c##count)(uint8_t *dst, ptrdiff_t dst_stride, const int16_t *src, \
                                            ptrdiff_t src_stride, int width, int height, const int32_t *firsts, \
                                            const int16_t *weights, int taps) { \
    if (width < (count == 1 && taps == 2 ? 16 : 4)) \
      cvk_u8_resize_rows_c##count##__scalar(dst, dst_stride, src, src_stride, width, height, firsts, weights, taps); \
    else if (taps == 2 && count == 1) \
      resize_rows_by_pairs(dst, dst_stride, src, src_stride, width, height, firsts, weights); \
    else if (taps == 2) \
      resize_rows(dst, dst_stride, src, src_stride, width, height, firsts, weights, 2, count); \
    else \
      resize_rows(dst, dst_stride, src, src_stride, width, height, firsts, weights, taps, count); \
  }
ROWS(1)
ROWS(3)
ROWS(4)

/* Words: the sum of 2 x 2 for pairs of neighbours in `pairs` order, from V_BYTES bytes of two rows. */
static inline __attribute__((always_inline)) vec sum_pairs(vec upper, vec lower, vec pairs) {
  const vec ones = VOP(set1_epi8)(1);
  return VOP(add_epi16)(VOP(maddubs_epi16)(VOP(shuffle_epi8)(upper, pairs), ones),
                        VOP(maddubs_epi16)(VOP(shuffle_epi8)(lower, pairs), ones));
}

#define HALVE(count, load, store, shuffle, ...) \
  void VARIANT(cvk_u8_halve_c##count)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, \
                                      int width, int height) { \
    enum { PIXELS = count == 1 ? V_BYTES : V_PIXELS, BYTES = PIXELS * count }; \
    if (width < PIXELS) { \
      cvk_u8_halve_c##count##__scalar(dst, dst_stride, src, src_stride, width, height); \
      return; \
    } \
    const vec pairs = shuffle(_mm_setr_epi8(__VA_ARGS__)), half = VOP(set1_epi16)(2); \
    for (int y = 0; y < height; y++, dst += dst_stride, src += 2 * src_stride) \
      EACH_BLOCK(x, width, PIXELS) { \
        const uint8_t *a = src + 2 * x * count, *b = a + src_stride; \
        v_prefetch(a, 2 * src_stride, 2 * BYTES); \
        v_prefetch(b, 2 * src_stride, 2 * BYTES); \
        vec left = sum_pairs(load(a), load(b), pairs), right = sum_pairs(load(a + BYTES), load(b + BYTES), pairs); \
        left = VOP(srli_epi16)(VOP(add_epi16)(left, half), 2); \
        right = VOP(srli_epi16)(VOP(add_epi16)(right, half), 2); \
        store(dst + x * count, restore_order(VOP(packus_epi16)(left, right))); \
      } \
  }

/* Packing takes 64 bits from each vector in turn. */
static inline __attribute__((always_inline)) vec restore_order(vec packed) {
#if CVK_VECTOR_BITS == 256
  return _mm256_permute4x64_epi64(packed, 0xD8);
#else
  return _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), packed);
#endif
}

HALVE(1, V_LOAD, V_STORE, V_LANES, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
HALVE(4, V_LOAD, V_STORE, V_LANES, 0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15)

/* V_PIXELS means of three channels, at the start of every lane. */
static inline __attribute__((always_inline)) vec halve_c3(const uint8_t *a, const uint8_t *b, vec pairs) {
  enum { BYTES = 3 * V_PIXELS };
  const vec half = VOP(set1_epi16)(2);
  vec left = sum_pairs(v_lanes_c3(a), v_lanes_c3(b), pairs);
  vec right = sum_pairs(v_lanes_c3(a + BYTES), v_lanes_c3(b + BYTES), pairs);
  left = VOP(srli_epi16)(VOP(add_epi16)(left, half), 2);
  right = VOP(srli_epi16)(VOP(add_epi16)(right, half), 2);
  const vec compact = V_LANES(_mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1));
  return VOP(shuffle_epi8)(restore_order(VOP(packus_epi16)(left, right)), compact);
}

void VARIANT(cvk_u8_halve_c3)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                              int height) {
  enum { PIXELS = 4 * V_PIXELS, STEP = 6 * V_PIXELS };
  if (width < PIXELS) {
    cvk_u8_halve_c3__scalar(dst, dst_stride, src, src_stride, width, height);
    return;
  }
  const vec pairs = v_shuffle_c3(_mm_setr_epi8(0, 3, 1, 4, 2, 5, NONE, NONE, 6, 9, 7, 10, 8, 11, NONE, NONE));
  for (int y = 0; y < height; y++, dst += dst_stride, src += 2 * src_stride)
    EACH_BLOCK(x, width, PIXELS) {
      const uint8_t *a = src + 6 * x, *b = a + src_stride;
      v_prefetch(a, 2 * src_stride, 6 * PIXELS);
      v_prefetch(b, 2 * src_stride, 6 * PIXELS);
      v_store_c3_four(dst + 3 * x, halve_c3(a, b, pairs), halve_c3(a + STEP, b + STEP, pairs),
                      halve_c3(a + 2 * STEP, b + 2 * STEP, pairs), halve_c3(a + 3 * STEP, b + 3 * STEP, pairs));
    }
}

void VARIANT(cvk_f32_resize_columns)(float *dst, const float *src, ptrdiff_t src_stride, int width,
                                     const float *weights, int taps) {
  if (width < V_PIXELS) {
    cvk_f32_resize_columns__scalar(dst, src, src_stride, width, weights, taps);
    return;
  }
  EACH_BLOCK(x, width, V_PIXELS) {
    vecf sum = VOP(setzero_ps)();
    for (int k = 0; k < taps; k++)
      sum = VOP(add_ps)(sum, VOP(mul_ps)(V_LOADF(CONST_ROW(float, src, src_stride, k) + x), VOP(set1_ps)(weights[k])));
    V_STOREF(dst + x, sum);
  }
}
