/* What the networks' templates need of NEON beyond lanes.h. */
#include "lanes.h"

#include "../network_unroll.h"

typedef uint32_t vu __attribute__((vector_size(16)));
#define MANY_REGISTERS 1 /* 32 or more */

/* A NaN of either operand stays. */
inline_always vf at_least(vf x, vf low) { return vmaxq_f32(x, low); }
inline_always vf at_most(vf x, vf high) { return vminq_f32(x, high); }
inline_always vf choose_less(vf a, vf b, vf yes, vf no) { return vbslq_f32(vcltq_f32(a, b), yes, no); }
inline_always vf absolute(vf x) { return vabsq_f32(x); }
inline_always vf with_sign(vf x, vf sign) { return vbslq_f32(vdupq_n_u32(0x80000000u), sign, x); }
inline_always vf square_root(vf x) { return vsqrtq_f32(x); }
inline_always vf round_down(vf x) { return vrndmq_f32(x); }
inline_always vf round_up(vf x) { return vrndpq_f32(x); }
inline_always vf round_even(vf x) { return vrndnq_f32(x); }
inline_always vf floats_of(vu integers) { return vcvtq_f32_s32((int32x4_t)integers); }

/* Lane i of the result is lane index[i] of v. */
inline_always vf lanes_at(vf v, vu index) {
  uint8x16_t bytes = vreinterpretq_u8_u32(vmlaq_n_u32(vdupq_n_u32(0x03020100u), index, 0x04040404u));
  return vreinterpretq_f32_u8(vqtbl1q_u8(vreinterpretq_u8_f32(v), bytes));
}

/* The first n of the lanes, n being less than 4; unlike load_part it has no loop that hinders unrolling. */
inline_always vf load_lanes(const float *p, int n) {
  vf v = vdupq_n_f32(0);
  if (n >= 2) v = vcombine_f32(vld1_f32(p), vget_high_f32(v));
  if (n == 3) v = vld1q_lane_f32(p + 2, v, 2);
  if (n == 1) v = vld1q_lane_f32(p, v, 0);
  return v;
}
inline_always void store_lanes(float *p, vf v, int n) {
  if (n >= 2) vst1_f32(p, vget_low_f32(v));
  if (n == 3) vst1q_lane_f32(p + 2, v, 2);
  if (n == 1) vst1q_lane_f32(p, v, 0);
}

/* NaN if one of them is. */
inline_always vf minimum(vf a, vf b) { return vminq_f32(a, b); }
inline_always vf maximum(vf a, vf b) { return vmaxq_f32(a, b); }

inline_always void store_halves(uint16_t *p, vf v) { vst1_u16(p, vreinterpret_u16_f16(vcvt_f16_f32(v))); }
