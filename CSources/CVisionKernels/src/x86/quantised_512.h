/* Bytes and their sums in registers of 64 bytes, for the templates of 8-bit networks. Before it is included, the file of
 * the instruction set says what `activations` and `weights` are and how their products are summed. */
typedef __m512i vi;
enum { VECTOR_BYTES = 64, PARTS = 1 /* registers of a panel's sums */ };
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

inline_always vi weave_low_8(vi a, vi b) { return _mm512_unpacklo_epi8(a, b); }
inline_always vi weave_high_8(vi a, vi b) { return _mm512_unpackhi_epi8(a, b); }
inline_always vi weave_low_16(vi a, vi b) { return _mm512_unpacklo_epi16(a, b); }
inline_always vi weave_high_16(vi a, vi b) { return _mm512_unpackhi_epi16(a, b); }

struct rounding {
  __m512 most;
  vi zero_point, low;
};
inline_always struct rounding rounding_of(const cvk_q8_output *output) {
  return (struct rounding){_mm512_set1_ps((float)(output->high - output->zero_point)),
                           _mm512_set1_epi16((short)output->zero_point), _mm512_set1_epi8((char)output->low)};
}
inline_always vi rounded(vi sums, const float *scales, const struct rounding *r) {
  __m512 value = _mm512_mul_ps(_mm512_cvtepi32_ps(sums), _mm512_loadu_ps(scales));
  return _mm512_cvtps_epi32(_mm512_min_ps(value, r->most));
}

/* Four registers of rounded sums to bytes: every quarter of the result has a quarter of each. */
inline_always vi bytes_of(vi a, vi b, vi c, vi d, const struct rounding *r) {
  vi ab = _mm512_adds_epi16(_mm512_packs_epi32(a, b), r->zero_point);
  vi cd = _mm512_adds_epi16(_mm512_packs_epi32(c, d), r->zero_point);
  return _mm512_max_epu8(_mm512_packus_epi16(ab, cd), r->low);
}
inline_always void store_bytes(uint8_t *dst, vi bytes, int count) {
  if (count >= 64) {
    _mm512_storeu_si512(dst, bytes);
  } else {
    _mm512_mask_storeu_epi8(dst, first_bytes(count), bytes);
  }
}

/* The sums of `panels` panels of one pixel, of which `count` channels exist. */
inline_always void store_panels(uint8_t *dst, const vi *sums, int panels, const float *scales, size_t panel_floats,
                                int count, const struct rounding *r) {
  vi v[4];
  for (int p = 0; p < 4; p++) v[p] = p < panels ? rounded(sums[p], scales + (size_t)p * panel_floats, r) : v[p - 1];
  vi bytes = bytes_of(v[0], v[1], v[2], v[3], r);
  bytes = _mm512_permutexvar_epi32(_mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), bytes);
  if (panels == 2 && count >= 32) {
    _mm256_storeu_si256((__m256i *)(void *)dst, _mm512_castsi512_si256(bytes));
  } else if (panels == 1 && count >= 16) {
    _mm_storeu_si128((__m128i *)(void *)dst, _mm512_castsi512_si128(bytes));
  } else {
    store_bytes(dst, bytes, count < 16 * panels ? count : 16 * panels);
  }
}

/* The same as floats, unrounded. */
inline_always void store_floats(float *dst, const vi *sums, int panels, const float *scales, size_t panel_floats, int count) {
  for (int p = 0; p < panels; p++) {
    __m512 value = _mm512_mul_ps(_mm512_cvtepi32_ps(sums[p]), _mm512_loadu_ps(scales + (size_t)p * panel_floats));
    int left = count - 16 * p;
    _mm512_mask_storeu_ps(dst + 16 * p, left >= 16 ? (__mmask16)0xFFFF : (__mmask16)((1u << left) - 1), value);
  }
}
