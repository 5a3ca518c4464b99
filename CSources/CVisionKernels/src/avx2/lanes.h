/* Vectors of eight floats (AVX2), for the templates that all instruction sets share. Include after the
 * instruction set is switched on. */
enum { LANES = 8 };
typedef __m256 vf;
#define inline_always static inline __attribute__((always_inline))
#define VARIANT(name) name##__avx2
#define SPLAT(x) _mm256_set1_ps(x)
#define FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define FNMA(a, b, c) _mm256_fnmadd_ps(a, b, c)

inline_always vf load(const float *p) { return _mm256_loadu_ps(p); }
inline_always void store(float *p, vf v) { _mm256_storeu_ps(p, v); }
inline_always __m256i first_lanes(int n) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
/* Through memory: a masked load is right too, but emulators that load first and mask then fault at the end of a
 * page. */
inline_always vf load_part(const float *p, int n) {
  float lanes[8] = {0};
  for (int i = 0; i < n && i < 8; i++) lanes[i] = p[i];
  return _mm256_loadu_ps(lanes);
}
inline_always void store_part(float *p, vf v, int n) { _mm256_maskstore_ps(p, first_lanes(n), v); }

/* Pairs of rows, pairs of pairs, then the halves. */
inline_always void transpose(vf *v) {
  vf t[8];
  for (int i = 0; i < 8; i += 2)
    t[i] = _mm256_unpacklo_ps(v[i], v[i + 1]), t[i + 1] = _mm256_unpackhi_ps(v[i], v[i + 1]);
  vf u[8];
  for (int i = 0; i < 8; i += 4) {
    for (int h = 0; h < 2; h++) {
      u[i + 2 * h] = _mm256_shuffle_ps(t[i + h], t[i + h + 2], 0x44);
      u[i + 2 * h + 1] = _mm256_shuffle_ps(t[i + h], t[i + h + 2], 0xee);
    }
  }
  for (int i = 0; i < 4; i++) {
    v[i] = _mm256_permute2f128_ps(u[i], u[i + 4], 0x20);
    v[i + 4] = _mm256_permute2f128_ps(u[i], u[i + 4], 0x31);
  }
}
inline_always vf keep_part(vf v, int n) { return _mm256_and_ps(v, _mm256_castsi256_ps(first_lanes(n))); }
inline_always vf load_bytes(const uint8_t *p) {
  return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)p)));
}
inline_always vf load_bytes_part(const uint8_t *p, int n) {
  uint8_t bytes[8] = {0};
  for (int i = 0; i < n; i++) bytes[i] = p[i];
  return load_bytes(bytes);
}
inline_always vf larger(vf a, vf b) { return _mm256_max_ps(a, b); }
inline_always float largest_lane(vf v) {
  __m128 h = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  h = _mm_max_ps(h, _mm_movehl_ps(h, h));
  return _mm_cvtss_f32(_mm_max_ss(h, _mm_movehdup_ps(h)));
}
inline_always float sum_of_lanes(vf v) {
  __m128 h = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  h = _mm_add_ps(h, _mm_movehl_ps(h, h));
  return _mm_cvtss_f32(_mm_add_ss(h, _mm_movehdup_ps(h)));
}
/* Newton's method from half the exponent, thrice: to the last bit or two, for normal numbers. The processor's own
 * estimate differs between makers, and results must not; exact root and quotient share a slow divider on Intel's. */
inline_always vf reciprocal_root(vf v) {
  vf half = _mm256_mul_ps(SPLAT(0.5f), v);
  __m256i exponent = _mm256_srli_epi32(_mm256_castps_si256(v), 1);
  vf r = _mm256_castsi256_ps(_mm256_sub_epi32(_mm256_set1_epi32(0x5f375a86), exponent));
  for (int i = 0; i < 3; i++) r = _mm256_mul_ps(r, FNMA(_mm256_mul_ps(half, r), r, SPLAT(1.5f)));
  return r;
}
