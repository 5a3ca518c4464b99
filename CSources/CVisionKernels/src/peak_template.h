/* The peak of arithmetic. The file that includes this defines PEAK_REGISTER (the letter of a vector's register in
 * assembly) and PEAK_CHAINS: at least latency times units, few enough for the registers. */
void VARIANT(cvk_f32_peak)(float *dst, int rounds) {
  vf half = SPLAT(0.5f), one = SPLAT(1.0f), chains[PEAK_CHAINS];
  float lanes[LANES], sum = 0;
#pragma clang loop unroll(full)
  for (int chain = 0; chain < PEAK_CHAINS; chain++) {
    chains[chain] = SPLAT(2.0f);
    /* The compiler must not see that they are all the same, and that the loop leaves them so. */
    __asm__ volatile("" : "+" PEAK_REGISTER(chains[chain]));
  }
  for (int64_t turn = 0; turn < (int64_t)rounds * (3072 / (PEAK_CHAINS * LANES)); turn++) {
#pragma clang loop unroll(full)
    for (int chain = 0; chain < PEAK_CHAINS; chain++) chains[chain] = FMA(chains[chain], half, one);
  }
  for (int chain = 0; chain < PEAK_CHAINS; chain++) {
    store(lanes, chains[chain]);
    for (int lane = 0; lane < LANES; lane++) sum += lanes[lane];
  }
  *dst = sum / (PEAK_CHAINS * LANES);
}
