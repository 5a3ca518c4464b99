/* What the registers of 32 and of 64 bytes have in common, for the templates of 8-bit networks. Before it is included,
 * Q8(name) is the intrinsic of that name for `vi`. */
inline_always vi interleave_low_8(vi a, vi b) { return Q8(unpacklo_epi8)(a, b); }
inline_always vi interleave_high_8(vi a, vi b) { return Q8(unpackhi_epi8)(a, b); }
inline_always vi interleave_low_16(vi a, vi b) { return Q8(unpacklo_epi16)(a, b); }
inline_always vi interleave_high_16(vi a, vi b) { return Q8(unpackhi_epi16)(a, b); }

struct rounding {
  vi zero_point, low, high;
};
inline_always struct rounding rounding_of(const cvk_q8_output *output) {
  return (struct rounding){Q8(set1_epi16)((short)output->zero_point), Q8(set1_epi8)((char)output->low),
                           Q8(set1_epi8)((char)output->high)};
}
inline_always vi rounded(vi sums, const float *scales) {
  return Q8(cvtps_epi32)(Q8(mul_ps)(Q8(cvtepi32_ps)(sums), Q8(loadu_ps)(scales)));
}

/* Four registers of rounded sums to bytes: every lane of the result has a lane of each. */
inline_always vi bytes_of(vi a, vi b, vi c, vi d, const struct rounding *r) {
  vi ab = Q8(adds_epi16)(Q8(packs_epi32)(a, b), r->zero_point);
  vi cd = Q8(adds_epi16)(Q8(packs_epi32)(c, d), r->zero_point);
  return Q8(min_epu8)(Q8(max_epu8)(Q8(packus_epi16)(ab, cd), r->low), r->high);
}
