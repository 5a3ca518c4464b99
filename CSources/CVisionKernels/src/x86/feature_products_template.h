/* Products of descriptions of features: four bytes of a query against four bytes of as many descriptions as there are
 * lanes.
 *
 * A file of an instruction set defines `whole`, a register of 32-bit sums, LANES, load(p), every(four bytes), nothing()
 * and add_products(sums, a, b) and store(p, sums), and includes this. */
enum { BYTES = CVK_FEATURE_BYTES, GROUP = CVK_FEATURE_GROUP, HALVES = GROUP / LANES, QUERIES = 4 };
#define UNROLLED _Pragma("clang loop unroll(full)")

inline_always void products_of(int32_t *dst, ptrdiff_t dst_stride, const uint8_t *queries, int count,
                               const uint8_t *packed, int groups) {
  for (int g = 0; g < groups; g++) {
    const uint8_t *group = packed + (ptrdiff_t)g * BYTES * GROUP;
    whole sums[QUERIES][HALVES];
    UNROLLED for (int q = 0; q < count; q++) UNROLLED for (int h = 0; h < HALVES; h++) sums[q][h] = nothing();
    for (int four = 0; four < BYTES / 4; four++) {
      whole part[HALVES];
      UNROLLED for (int h = 0; h < HALVES; h++) part[h] = load(group + (four * GROUP + h * LANES) * 4);
      UNROLLED for (int q = 0; q < count; q++) {
        int32_t bytes;
        memcpy(&bytes, queries + q * BYTES + 4 * four, 4);
        const whole query = every(bytes);
        UNROLLED for (int h = 0; h < HALVES; h++) sums[q][h] = add_products(sums[q][h], query, part[h]);
      }
    }
    UNROLLED for (int q = 0; q < count; q++) {
      int32_t *to = (int32_t *)(void *)((char *)dst + q * dst_stride) + g * GROUP;
      UNROLLED for (int h = 0; h < HALVES; h++) store(to + h * LANES, sums[q][h]);
    }
  }
}

void VARIANT(cvk_u8_feature_products)(int32_t *dst, ptrdiff_t dst_stride, const uint8_t *queries, int count,
                                      const uint8_t *packed, int groups) {
  int q = 0;
  for (; q + QUERIES <= count; q += QUERIES)
    products_of((int32_t *)(void *)((char *)dst + q * dst_stride), dst_stride, queries + q * BYTES, QUERIES, packed,
                groups);
  for (; q < count; q++)
    products_of((int32_t *)(void *)((char *)dst + q * dst_stride), dst_stride, queries + q * BYTES, 1, packed, groups);
}
