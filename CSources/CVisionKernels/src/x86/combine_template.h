/* Weighted sums of two images for 256- and 512-bit vectors: see vector.h. */
#include "vector.h"

void VARIANT(cvk_u8_combine)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                             const uint8_t *other, ptrdiff_t other_stride, int width, int height, int src_weight,
                             int other_weight, int offset) {
  if (width < V_BYTES) {
    cvk_u8_combine__scalar(dst, dst_stride, src, src_stride, other, other_stride, width, height, src_weight,
                           other_weight, offset);
    return;
  }
  /* Both weights side by side, as the pixels of the two images come to lie. */
  const vec weights = VOP(set1_epi32)((int)((uint32_t)other_weight << 16 | (uint16_t)src_weight));
  const vec start = VOP(set1_epi32)(offset), none = V_ZERO();
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride, other += other_stride)
    EACH_BLOCK(x, width, V_BYTES) {
      const vec a = V_LOAD(src + x), b = V_LOAD(other + x);
      const vec low = VOP(unpacklo_epi8)(a, b), high = VOP(unpackhi_epi8)(a, b);
#define SUM(pairs) VOP(srai_epi32)(VOP(add_epi32)(VOP(madd_epi16)(pairs, weights), start), 6)
      const vec first = VOP(packs_epi32)(SUM(VOP(unpacklo_epi8)(low, none)), SUM(VOP(unpackhi_epi8)(low, none)));
      const vec second = VOP(packs_epi32)(SUM(VOP(unpacklo_epi8)(high, none)), SUM(VOP(unpackhi_epi8)(high, none)));
#undef SUM
      V_STORE(dst + x, VOP(packus_epi16)(first, second));
    }
}
