/* What the networks' templates need of AVX-512 beyond lanes.h. */
#include "lanes.h"

#include "../network_unroll.h"

typedef uint32_t vu __attribute__((vector_size(64)));
#define MANY_REGISTERS 1 /* 32 or more */

/* Of two operands of which one is NaN these instructions give the second: a NaN in x stays. */
inline_always vf at_least(vf x, vf low) { return _mm512_max_ps(low, x); }
inline_always vf at_most(vf x, vf high) { return _mm512_min_ps(high, x); }
inline_always vf choose_less(vf a, vf b, vf yes, vf no) {
  return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ), no, yes);
}
inline_always vf absolute(vf x) { return _mm512_andnot_ps(SPLAT(-0.0f), x); }
inline_always vf with_sign(vf x, vf sign) { return _mm512_or_ps(absolute(x), _mm512_and_ps(SPLAT(-0.0f), sign)); }
inline_always vf square_root(vf x) { return _mm512_sqrt_ps(x); }
inline_always vf round_down(vf x) { return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); }
inline_always vf round_up(vf x) { return _mm512_roundscale_ps(x, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC); }
inline_always vf round_even(vf x) { return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
inline_always vf floats_of(vu integers) { return _mm512_cvtepi32_ps((__m512i)integers); }

/* Lane i of the result is lane index[i] of v. */
inline_always vf lanes_at(vf v, vu index) { return _mm512_permutexvar_ps((__m512i)index, v); }

/* The first n of the lanes. */
inline_always vf load_lanes(const float *p, int n) { return load_part(p, n); }
inline_always void store_lanes(float *p, vf v, int n) { store_part(p, v, n); }

/* NaN if one of them is. */
inline_always vf minimum(vf a, vf b) {
  return _mm512_mask_mov_ps(_mm512_min_ps(a, b), _mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q), a);
}
inline_always vf maximum(vf a, vf b) {
  return _mm512_mask_mov_ps(_mm512_max_ps(a, b), _mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q), a);
}

inline_always void store_halves(uint16_t *p, vf v) {
  _mm256_storeu_si256((__m256i *)p, _mm512_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
