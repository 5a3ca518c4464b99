/* One spelling for 256- and 512-bit integer vectors, so that kernels that differ only in width are written once. The
 * including file defines CVK_VECTOR_BITS and VARIANT(name) and has begun its instruction set. */
#include <string.h>

#if CVK_VECTOR_BITS == 256
typedef __m256i vec;
#define VOP(name) _mm256_##name
#define V_ZERO() _mm256_setzero_si256()
#define V_LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define V_STORE(p, v) _mm256_storeu_si256((__m256i *)(p), v)
#define V_AND(a, b) _mm256_and_si256(a, b)
#define V_OR(a, b) _mm256_or_si256(a, b)
#define V_XOR(a, b) _mm256_xor_si256(a, b)
#define V_EVERY64(value) _mm256_set1_epi64x(value)
/* The same 128 bits in every lane. */
#define V_LANES(v128) _mm256_broadcastsi128_si256(v128)
/* 32-bit elements of b where the 4-bit mask, repeated in every lane, is set. */
#define V_BLEND32(a, b, mask) _mm256_blend_epi32(a, b, (mask) | (mask) << 4)
#define V_FROM_U8_16(p) _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(p)))
#define V_FROM_U8_32(p) _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(p)))
/* The vector whose lanes are LANE(0), LANE(1), … */
#define V_JOIN(LANE) _mm256_inserti128_si256(_mm256_castsi128_si256(LANE(0)), LANE(1), 1)
typedef __m256 vecf;
#define V_STOREF(p, v) _mm256_storeu_ps(p, v)
#define V_LOADF(p) _mm256_loadu_ps(p)
#else
typedef __m512i vec;
#define VOP(name) _mm512_##name
#define V_ZERO() _mm512_setzero_si512()
#define V_LOAD(p) _mm512_loadu_si512(p)
#define V_STORE(p, v) _mm512_storeu_si512(p, v)
#define V_AND(a, b) _mm512_and_si512(a, b)
#define V_OR(a, b) _mm512_or_si512(a, b)
#define V_XOR(a, b) _mm512_xor_si512(a, b)
#define V_EVERY64(value) _mm512_set1_epi64(value)
#define V_LANES(v128) _mm512_broadcast_i32x4(v128)
#define V_BLEND32(a, b, mask) _mm512_mask_blend_epi32((__mmask16)((mask) * 0x1111), a, b)
#define V_FROM_U8_16(p) _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(p)))
#define V_FROM_U8_32(p) _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(p)))
#define V_JOIN_TWO(a, b) _mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1)
#define V_JOIN(LANE) \
  _mm512_inserti64x4(_mm512_castsi256_si512(V_JOIN_TWO(LANE(0), LANE(1))), V_JOIN_TWO(LANE(2), LANE(3)), 1)
typedef __m512 vecf;
#define V_STOREF(p, v) _mm512_storeu_ps(p, v)
#define V_LOADF(p) _mm512_loadu_ps(p)
#endif

/* A block of columns at x = 0, block, ... and the last one at width - block, overlapping the one before it where the
 * width is no multiple; the width must be at least `block`. The counter does not depend on the choice of the
 * position. */
#define EACH_BLOCK(x, width, block) \
  for (int x##_counter = 0, x; x##_counter < (width) && \
                               (x = x##_counter + (block) <= (width) ? x##_counter : (width) - (block), 1); \
       x##_counter += (block))

/* Strides are bytes, so rows are stepped through byte pointers. */
#define ROW(type, pointer, stride, y) ((type *)((char *)(pointer) + (ptrdiff_t)(y) * (stride)))
#define CONST_ROW(type, pointer, stride, y) ((const type *)((const char *)(pointer) + (ptrdiff_t)(y) * (stride)))

enum { V_BYTES = CVK_VECTOR_BITS / 8, V_WORDS = CVK_VECTOR_BITS / 16, V_PIXELS = CVK_VECTOR_BITS / 32 };

/* Asks for what lies `ahead` bytes from p, where processing continues later: processors do not prefetch across jumps
 * over several rows, and images come from memory. Past the end of an image it does no harm, but there is no address to
 * form from p. */
static inline __attribute__((always_inline)) void v_prefetch(const uint8_t *p, ptrdiff_t ahead, int bytes) {
  for (int i = 0; i < bytes; i += 64)
    _mm_prefetch((const char *)((uintptr_t)p + (uintptr_t)ahead + (uintptr_t)i), _MM_HINT_T0);
}

/* Lane i goes to p + i * step. */
static inline __attribute__((always_inline)) void v_scatter(uint8_t *p, ptrdiff_t step, vec v) {
#if CVK_VECTOR_BITS == 256
  _mm_storeu_si128((__m128i *)p, _mm256_castsi256_si128(v));
  _mm_storeu_si128((__m128i *)(p + step), _mm256_extracti128_si256(v, 1));
#else
  _mm_storeu_si128((__m128i *)p, _mm512_castsi512_si128(v));
  _mm_storeu_si128((__m128i *)(p + step), _mm512_extracti32x4_epi32(v, 1));
  _mm_storeu_si128((__m128i *)(p + 2 * step), _mm512_extracti32x4_epi32(v, 2));
  _mm_storeu_si128((__m128i *)(p + 3 * step), _mm512_extracti32x4_epi32(v, 3));
#endif
}

/* V_PIXELS pixels of three bytes, nothing behind them, spread over the lanes for a shuffle by v_shuffle_c3. */
static inline __attribute__((always_inline)) vec v_lanes_c3(const uint8_t *p) {
#if CVK_VECTOR_BITS == 256
  /* The upper lane is loaded from 4 bytes before its pixels, so that the load ends with the last of them. */
  __m256i v = _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)p));
  return _mm256_inserti128_si256(v, _mm_loadu_si128((const __m128i *)(p + 8)), 1);
#else
  const vec lanes = _mm512_setr_epi32(0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 10, 11, 11);
  return _mm512_permutexvar_epi32(lanes, _mm512_maskz_loadu_epi32(0x0FFF, p));
#endif
}

/* The shuffle that takes the bytes of `m`, counted from a lane's first pixel, from what v_lanes_c3 gave; NONE makes
 * 0. */
enum { NONE = -128 };
static inline __attribute__((always_inline)) vec v_shuffle_c3(__m128i m) {
#if CVK_VECTOR_BITS == 256
  return _mm256_setr_m128i(m, _mm_add_epi8(m, _mm_set1_epi8(4)));
#else
  return V_LANES(m);
#endif
}

/* V_PIXELS pixels of three bytes, nothing behind them: each becomes a 32-bit element with a top byte of 0. */
static inline __attribute__((always_inline)) vec v_load_c3(const uint8_t *p) {
  const __m128i spread = _mm_setr_epi8(0, 1, 2, NONE, 3, 4, 5, NONE, 6, 7, 8, NONE, 9, 10, 11, NONE);
  return VOP(shuffle_epi8)(v_lanes_c3(p), v_shuffle_c3(spread));
}

/* Stores the lowest 12 bytes of every lane one after the other, and nothing else. */
static inline __attribute__((always_inline)) void v_store_c3(uint8_t *p, vec v) {
#if CVK_VECTOR_BITS == 256
  __m128i upper = _mm256_extracti128_si256(v, 1);
  _mm_storeu_si128((__m128i *)p, _mm256_castsi256_si128(v));
  _mm_storel_epi64((__m128i *)(p + 12), upper);
  int last = _mm_extract_epi32(upper, 2);
  memcpy(p + 20, &last, 4);
#else
  const vec lanes = _mm512_setr_epi32(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 15, 15, 15, 15);
  _mm512_mask_storeu_epi32(p, 0x0FFF, _mm512_permutexvar_epi32(lanes, v));
#endif
}

/* The same for four vectors: their 3 * V_BYTES bytes, nothing else. Every vector is rotated to where its bytes
 * belong. */
static inline __attribute__((always_inline)) void v_store_c3_four(uint8_t *p, vec a, vec b, vec c, vec d) {
#if CVK_VECTOR_BITS == 256
  a = _mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 0, 0));
  b = _mm256_permutevar8x32_epi32(b, _mm256_setr_epi32(2, 4, 5, 6, 0, 0, 0, 1));
  c = _mm256_permutevar8x32_epi32(c, _mm256_setr_epi32(5, 6, 0, 0, 0, 1, 2, 4));
  d = _mm256_permutevar8x32_epi32(d, _mm256_setr_epi32(0, 0, 0, 1, 2, 4, 5, 6));
  V_STORE(p, _mm256_blend_epi32(a, b, 0xC0));
  V_STORE(p + 32, _mm256_blend_epi32(b, c, 0xF0));
  V_STORE(p + 64, _mm256_blend_epi32(c, d, 0xFC));
#else
  a = _mm512_permutexvar_epi32(_mm512_setr_epi32(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 0, 0, 0, 0), a);
  b = _mm512_permutexvar_epi32(_mm512_setr_epi32(5, 6, 8, 9, 10, 12, 13, 14, 0, 0, 0, 0, 0, 1, 2, 4), b);
  c = _mm512_permutexvar_epi32(_mm512_setr_epi32(10, 12, 13, 14, 0, 0, 0, 0, 0, 1, 2, 4, 5, 6, 8, 9), c);
  d = _mm512_permutexvar_epi32(_mm512_setr_epi32(0, 0, 0, 0, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14), d);
  V_STORE(p, _mm512_mask_blend_epi32(0xF000, a, b));
  V_STORE(p + 64, _mm512_mask_blend_epi32(0xFF00, b, c));
  V_STORE(p + 128, _mm512_mask_blend_epi32(0xFFF0, c, d));
#endif
}

/* The elements of a, b, c, d, in order, each within 0 to 255, as bytes. */
static inline __attribute__((always_inline)) vec v_pack_32_to_8(vec a, vec b, vec c, vec d) {
  vec bytes = VOP(packus_epi16)(VOP(packs_epi32)(a, b), VOP(packs_epi32)(c, d));
#if CVK_VECTOR_BITS == 256
  return _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
#else
  return _mm512_permutexvar_epi32(_mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), bytes);
#endif
}
