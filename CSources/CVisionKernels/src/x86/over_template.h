/* Source over destination for 256- and 512-bit vectors: see vector.h. The result depends on what was there, so blocks
 * must not overlap: the end of a row goes to the reference. */
#include "vector.h"

enum { ONE = 1 << 14 };

void VARIANT(cvk_u8_c4_over)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                             int height, const uint8_t order[4], int alpha, enum cvk_alpha kind, int opacity) {
  int8_t indices[16], opaque[16];
  for (int i = 0; i < 16; i++) {
    int fixed = order[i % 4] == CVK_OPAQUE || (i % 4 == alpha && kind != CVK_ALPHA_MULTIPLIED);
    indices[i] = (int8_t)(fixed ? -1 : (i & ~3) + order[i % 4]);
    opaque[i] = (int8_t)(fixed ? -1 : 0);
  }
  const vec shuffle = V_LANES(_mm_loadu_si128((const __m128i *)indices));
  const vec set = V_LANES(_mm_loadu_si128((const __m128i *)opaque));
  const vec gain = VOP(set1_epi32)((opacity * 256 + 127) / 255), none = V_ZERO();
  const vec covered = VOP(set1_epi32)(kind == CVK_ALPHA_NONE ? 255 : 0);
  const vec straight = VOP(set1_epi32)(kind == CVK_ALPHA_MULTIPLIED ? 0 : -1);
  const vec strength = VOP(set1_epi32)(kind == CVK_ALPHA_MULTIPLIED ? opacity : 0);
  const int whole = width - width % V_PIXELS;
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride) {
    for (int x = 0; x < whole; x += V_PIXELS) {
      vec s = V_LOAD(src + 4 * x), d = V_LOAD(dst + 4 * x);
      vec coverage = VOP(madd_epi16)(V_OR(VOP(srli_epi32)(s, 24), covered), gain);
      coverage = VOP(srli_epi32)(VOP(add_epi32)(coverage, VOP(set1_epi32)(128)), 8);
      vec weight = V_OR(strength, V_AND(straight, coverage));
      /* The source's weight and the destination's as two words. */
      weight = V_OR(weight, VOP(slli_epi32)(VOP(sub_epi32)(VOP(set1_epi32)(ONE), coverage), 16));
      s = V_OR(VOP(shuffle_epi8)(s, shuffle), set);
      vec low = VOP(unpacklo_epi8)(s, d), high = VOP(unpackhi_epi8)(s, d);
#define PIXEL(pairs, i) \
  VOP(srli_epi32)(VOP(add_epi32)(VOP(madd_epi16)(pairs, VOP(shuffle_epi32)(weight, 0x55 * i)), \
                                 VOP(set1_epi32)(ONE / 2)), 14)
      vec first = VOP(packs_epi32)(PIXEL(VOP(unpacklo_epi8)(low, none), 0), PIXEL(VOP(unpackhi_epi8)(low, none), 1));
      vec second = VOP(packs_epi32)(PIXEL(VOP(unpacklo_epi8)(high, none), 2), PIXEL(VOP(unpackhi_epi8)(high, none), 3));
#undef PIXEL
      V_STORE(dst + 4 * x, VOP(packus_epi16)(first, second));
    }
    cvk_u8_c4_over__scalar(dst + 4 * whole, 0, src + 4 * whole, 0, width - whole, 1, order, alpha, kind, opacity);
  }
}
