/* What the networks' templates need of AVX2 beyond lanes.h. */
#include "lanes.h"

#include "../network_unroll.h"

typedef uint32_t vu __attribute__((vector_size(32)));
#define MANY_REGISTERS 0

/* Of two operands of which one is NaN these instructions give the second: a NaN in x stays. */
inline_always vf at_least(vf x, vf low) { return _mm256_max_ps(low, x); }
inline_always vf at_most(vf x, vf high) { return _mm256_min_ps(high, x); }
inline_always vf choose_less(vf a, vf b, vf yes, vf no) {
  return _mm256_blendv_ps(no, yes, _mm256_cmp_ps(a, b, _CMP_LT_OQ));
}
inline_always vf absolute(vf x) { return _mm256_andnot_ps(SPLAT(-0.0f), x); }
inline_always vf with_sign(vf x, vf sign) { return _mm256_or_ps(absolute(x), _mm256_and_ps(SPLAT(-0.0f), sign)); }
inline_always vf square_root(vf x) { return _mm256_sqrt_ps(x); }
inline_always vf round_down(vf x) { return _mm256_floor_ps(x); }
inline_always vf round_up(vf x) { return _mm256_ceil_ps(x); }
inline_always vf round_even(vf x) { return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
inline_always vf floats_of(vu integers) { return _mm256_cvtepi32_ps((__m256i)integers); }

/* Lane i of the result is lane index[i] of v. */
inline_always vf lanes_at(vf v, vu index) { return _mm256_permutevar8x32_ps(v, (__m256i)index); }

/* The first n of the lanes; unlike load_part it does not pass through memory. */
inline_always vf load_lanes(const float *p, int n) { return _mm256_maskload_ps(p, first_lanes(n)); }
inline_always void store_lanes(float *p, vf v, int n) { _mm256_maskstore_ps(p, first_lanes(n), v); }

/* NaN if one of them is. */
inline_always vf minimum(vf a, vf b) {
  return _mm256_blendv_ps(_mm256_min_ps(a, b), a, _mm256_cmp_ps(a, a, _CMP_UNORD_Q));
}
inline_always vf maximum(vf a, vf b) {
  return _mm256_blendv_ps(_mm256_max_ps(a, b), a, _mm256_cmp_ps(a, a, _CMP_UNORD_Q));
}

inline_always void store_halves(uint16_t *p, vf v) {
  _mm_storeu_si128((__m128i *)p, _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
}
