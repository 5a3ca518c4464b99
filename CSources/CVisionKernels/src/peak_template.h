/* The peak of arithmetic. The file that includes this defines PEAK_NAME, the vector PEAK_VECTOR with PEAK_LANES floats,
 * PEAK_SET(number), PEAK_MULTIPLY_ADD(a, b, c), PEAK_STORE(address, vector), PEAK_REGISTER (the letter of the vector's
 * register in assembly) and PEAK_CHAINS: at least latency times units, few enough for the registers. */
void PEAK_NAME(float *dst, int rounds) {
  PEAK_VECTOR half = PEAK_SET(0.5f), one = PEAK_SET(1.0f), chains[PEAK_CHAINS];
  float lanes[PEAK_LANES], sum = 0;
#pragma clang loop unroll(full)
  for (int chain = 0; chain < PEAK_CHAINS; chain++) {
    chains[chain] = PEAK_SET(2.0f);
    /* The compiler must not see that they are all the same, and that the loop leaves them so. */
    __asm__ volatile("" : "+" PEAK_REGISTER(chains[chain]));
  }
  for (int64_t turn = 0; turn < (int64_t)rounds * (3072 / (PEAK_CHAINS * PEAK_LANES)); turn++) {
#pragma clang loop unroll(full)
    for (int chain = 0; chain < PEAK_CHAINS; chain++) chains[chain] = PEAK_MULTIPLY_ADD(chains[chain], half, one);
  }
  for (int chain = 0; chain < PEAK_CHAINS; chain++) {
    PEAK_STORE(lanes, chains[chain]);
    for (int lane = 0; lane < PEAK_LANES; lane++) sum += lanes[lane];
  }
  *dst = sum / (PEAK_CHAINS * PEAK_LANES);
}
