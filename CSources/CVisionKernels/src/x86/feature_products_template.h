/* Products of descriptions of features: four bytes of a query against four bytes of as many descriptions as there are
 * 32-bit sums in a vector. */
#include "vector.h"

/* A file with a better instruction defines ADD_PRODUCTS. Bytes up to 127 make sums of two products that fit into 16
 * bits. */
#ifndef ADD_PRODUCTS
#define ADD_PRODUCTS(sums, a, b) \
  VOP(add_epi32)(sums, VOP(madd_epi16)(VOP(maddubs_epi16)(a, b), VOP(set1_epi16)(1)))
#endif

enum { BYTES = CVK_FEATURE_BYTES, GROUP = CVK_FEATURE_GROUP, HALVES = GROUP / V_PIXELS, QUERIES = 4 };
#define UNROLLED _Pragma("clang loop unroll(full)")

static inline __attribute__((always_inline)) void products_of(int32_t *dst, ptrdiff_t dst_stride,
                                                              const uint8_t *queries, int count,
                                                              const uint8_t *packed, int groups) {
  for (int g = 0; g < groups; g++) {
    const uint8_t *group = packed + (ptrdiff_t)g * BYTES * GROUP;
    vec sums[QUERIES][HALVES];
    UNROLLED for (int q = 0; q < count; q++) UNROLLED for (int h = 0; h < HALVES; h++) sums[q][h] = V_ZERO();
    for (int four = 0; four < BYTES / 4; four++) {
      vec part[HALVES];
      UNROLLED for (int h = 0; h < HALVES; h++) part[h] = V_LOAD(group + (four * GROUP + h * V_PIXELS) * 4);
      UNROLLED for (int q = 0; q < count; q++) {
        int32_t bytes;
        memcpy(&bytes, queries + q * BYTES + 4 * four, 4);
        const vec query = VOP(set1_epi32)(bytes);
        UNROLLED for (int h = 0; h < HALVES; h++) sums[q][h] = ADD_PRODUCTS(sums[q][h], query, part[h]);
      }
    }
    UNROLLED for (int q = 0; q < count; q++) {
      int32_t *to = (int32_t *)(void *)((char *)dst + q * dst_stride) + g * GROUP;
      UNROLLED for (int h = 0; h < HALVES; h++) V_STORE(to + h * V_PIXELS, sums[q][h]);
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
