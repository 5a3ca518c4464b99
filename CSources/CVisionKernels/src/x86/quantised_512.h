/* Bytes and their sums in registers of 64 bytes, for the templates of 8-bit networks. Before it is included, the file
 * of the instruction set says what `activations` and `weights` are and how their products are summed. */
typedef __m512i vi;
enum { VECTOR_BYTES = 64, PARTS = 1 /* registers of a panel's sums */ };
#define UNROLLED _Pragma("clang loop unroll(full)") /* or arrays would not become registers */
#define PIN(v) __asm__ volatile("" : "+v"(v)) /* computed here, and in a register */
#define inline_always static inline __attribute__((always_inline))

inline_always vi load_vector(const void *p) { return _mm512_loadu_si512(p); }
inline_always void store_vector(void *p, vi v) { _mm512_storeu_si512(p, v); }
inline_always vi splat_four(uint32_t four) { return _mm512_set1_epi32((int)four); }
inline_always vi no_bytes(void) { return _mm512_setzero_si512(); }

/* The first `count` bytes, zeros behind them. */
inline_always __mmask64 first_bytes(int count) { return count >= 64 ? ~(__mmask64)0 : ((__mmask64)1 << count) - 1; }
inline_always vi load_bytes(const uint8_t *p, int count) {
  return count >= 64 ? _mm512_loadu_si512(p) : _mm512_maskz_loadu_epi8(first_bytes(count), p);
}


/* Two pixels of at most 32 channels share a register. */
enum { PAIRS = 1 };
inline_always vi load_pair(const uint8_t *first, const uint8_t *second, int count) {
  __mmask32 mask = (__mmask32)first_bytes(count);
  return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_maskz_loadu_epi8(mask, first)),
                            _mm256_maskz_loadu_epi8(mask, second), 1);
}
inline_always void store_pair(uint8_t *first, uint8_t *second, vi bytes, int count) {
  __mmask32 mask = (__mmask32)first_bytes(count);
  _mm256_mask_storeu_epi8(first, mask, _mm512_castsi512_si256(bytes));
  _mm256_mask_storeu_epi8(second, mask, _mm512_extracti64x4_epi64(bytes, 1));
}

#define Q8(name) _mm512_##name
#include "quantised_rounding.h"

inline_always void store_bytes(uint8_t *dst, vi bytes, int count) {
  if (count >= 64) {
    _mm512_storeu_si512(dst, bytes);
  } else {
    _mm512_mask_storeu_epi8(dst, first_bytes(count), bytes);
  }
}

/* The sums of `m` pixels x `n` panels, both constants; `count` channels exist from the first on. One or two panels do
 * not fill a register of bytes: then it is shared by four or two pixels. */
inline_always void store_tile(uint8_t *dst, ptrdiff_t pixel, vi sums[][MOST_PANELS * PARTS], const int m, const int n,
                              const float *scales, size_t panel_floats, int count, const struct rounding *r) {
  const int together = n <= 2 ? 4 / n : 1;
  UNROLLED for (int i = 0; i < m; i += together, dst += together * pixel) {
    vi v[4];
    UNROLLED for (int j = 0; j < 4; j++) {
      int panel = n <= 2 ? j % n : j < n ? j : n - 1, of = n <= 2 ? i + j / n : i;
      v[j] = rounded(sums[of < m ? of : m - 1][panel], scales + (size_t)panel * panel_floats);
    }
    vi bytes = bytes_of(v[0], v[1], v[2], v[3], r);
    bytes = _mm512_permutexvar_epi32(_mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), bytes);
    if (n > 2) {
      store_bytes(dst, bytes, count < 16 * n ? count : 16 * n);
    } else if (n == 2) {
      __mmask32 mask = (__mmask32)first_bytes(count < 32 ? count : 32);
      _mm256_mask_storeu_epi8(dst, mask, _mm512_castsi512_si256(bytes));
      if (i + 1 < m) _mm256_mask_storeu_epi8(dst + pixel, mask, _mm512_extracti64x4_epi64(bytes, 1));
    } else {
      __mmask16 mask = (__mmask16)first_bytes(count < 16 ? count : 16);
      _mm_mask_storeu_epi8(dst, mask, _mm512_castsi512_si128(bytes));
      if (i + 1 < m) _mm_mask_storeu_epi8(dst + pixel, mask, _mm512_extracti32x4_epi32(bytes, 1));
      if (i + 2 < m) _mm_mask_storeu_epi8(dst + 2 * pixel, mask, _mm512_extracti32x4_epi32(bytes, 2));
      if (i + 3 < m) _mm_mask_storeu_epi8(dst + 3 * pixel, mask, _mm512_extracti32x4_epi32(bytes, 3));
    }
  }
}

/* The same as floats, unrounded. */
inline_always void store_floats(float *dst, const vi *sums, int panels, const float *scales, size_t panel_floats,
                                int count) {
  UNROLLED for (int p = 0; p < panels; p++) {
    __m512 value = _mm512_mul_ps(_mm512_cvtepi32_ps(sums[p]), _mm512_loadu_ps(scales + (size_t)p * panel_floats));
    int left = count - 16 * p;
    _mm512_mask_storeu_ps(dst + 16 * p, left >= 16 ? (__mmask16)0xFFFF : (__mmask16)((1u << left) - 1), value);
  }
}
