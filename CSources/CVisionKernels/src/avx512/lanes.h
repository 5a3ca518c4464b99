/* Vectors of sixteen floats (AVX-512), for the templates that all instruction sets share. Include after the
 * instruction set is switched on. */
enum { LANES = 16 };
typedef __m512 vf;
#define inline_always static inline __attribute__((always_inline))
#define VARIANT(name) name##__avx512
#define SPLAT(x) _mm512_set1_ps(x)
#define FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define FNMA(a, b, c) _mm512_fnmadd_ps(a, b, c)

inline_always vf load(const float *p) { return _mm512_loadu_ps(p); }
inline_always void store(float *p, vf v) { _mm512_storeu_ps(p, v); }
inline_always __mmask16 first_lanes(int n) { return (__mmask16)((1u << n) - 1); }
inline_always vf load_part(const float *p, int n) { return _mm512_maskz_loadu_ps(first_lanes(n), p); }
inline_always void store_part(float *p, vf v, int n) { _mm512_mask_storeu_ps(p, first_lanes(n), v); }

/* Squares of 4 x 4 within the quarters of the registers, then the quarters. */
inline_always void transpose(vf *v) {
  vf t[16], u[16];
  for (int i = 0; i < 16; i += 2) {
    t[i] = _mm512_unpacklo_ps(v[i], v[i + 1]);
    t[i + 1] = _mm512_unpackhi_ps(v[i], v[i + 1]);
  }
  for (int i = 0; i < 16; i += 4) {
    for (int h = 0; h < 2; h++) {
      u[i + 2 * h] = _mm512_shuffle_ps(t[i + h], t[i + h + 2], 0x44);
      u[i + 2 * h + 1] = _mm512_shuffle_ps(t[i + h], t[i + h + 2], 0xee);
    }
  }
  for (int i = 0; i < 4; i++) {
    vf a = _mm512_shuffle_f32x4(u[i], u[i + 4], 0x88), b = _mm512_shuffle_f32x4(u[i], u[i + 4], 0xdd);
    vf c = _mm512_shuffle_f32x4(u[i + 8], u[i + 12], 0x88), d = _mm512_shuffle_f32x4(u[i + 8], u[i + 12], 0xdd);
    v[i] = _mm512_shuffle_f32x4(a, c, 0x88);
    v[i + 8] = _mm512_shuffle_f32x4(a, c, 0xdd);
    v[i + 4] = _mm512_shuffle_f32x4(b, d, 0x88);
    v[i + 12] = _mm512_shuffle_f32x4(b, d, 0xdd);
  }
}
inline_always vf keep_part(vf v, int n) { return _mm512_maskz_mov_ps(first_lanes(n), v); }
inline_always vf load_bytes(const uint8_t *p) {
  return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)p)));
}
inline_always vf load_bytes_part(const uint8_t *p, int n) {
  return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(first_lanes(n), p)));
}
inline_always vf larger(vf a, vf b) { return _mm512_max_ps(a, b); }
inline_always float largest_lane(vf v) { return _mm512_reduce_max_ps(v); }
inline_always float sum_of_lanes(vf v) { return _mm512_reduce_add_ps(v); }
/* Newton's method from half the exponent, thrice: to the last bit or two, for normal numbers. The processor's own
 * estimate differs between makers, and results must not; exact root and quotient share a slow divider on Intel's. */
inline_always vf reciprocal_root(vf v) {
  vf half = _mm512_mul_ps(SPLAT(0.5f), v);
  __m512i exponent = _mm512_srli_epi32(_mm512_castps_si512(v), 1);
  vf r = _mm512_castsi512_ps(_mm512_sub_epi32(_mm512_set1_epi32(0x5f375a86), exponent));
  for (int i = 0; i < 3; i++) r = _mm512_mul_ps(r, FNMA(_mm512_mul_ps(half, r), r, SPLAT(1.5f)));
  return r;
}
