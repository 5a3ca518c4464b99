/* Y'CbCr conversions for 256- and 512-bit vectors: see vector.h. */
#include "vector.h"

void VARIANT(cvk_u8_grey_from_video_luma)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                                          int width, int height) {
  if (width < V_BYTES) {
    cvk_u8_grey_from_video_luma__scalar(dst, dst_stride, src, src_stride, width, height);
    return;
  }
  const vec gain = VOP(set1_epi16)(19077), offset = VOP(set1_epi8)(16);
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride)
    EACH_BLOCK(x, width, V_BYTES) {
      vec above = VOP(subs_epu8)(V_LOAD(src + x), offset);
      vec low = VOP(slli_epi16)(VOP(unpacklo_epi8)(above, V_ZERO()), 1);
      vec high = VOP(slli_epi16)(VOP(unpackhi_epi8)(above, V_ZERO()), 1);
      V_STORE(dst + x, VOP(packus_epi16)(VOP(mulhrs_epi16)(low, gain), VOP(mulhrs_epi16)(high, gain)));
    }
}

typedef struct colours { vec red, green, blue; } colours; /* V_BYTES pixels each, in order */

/* Luma of V_BYTES pixels, chroma of half as many as words: (sample - 128) << 8. */
static inline __attribute__((always_inline)) colours convert(vec luma, vec u, vec v, const cvk_yuv_matrix *m) {
  const vec y_offset = VOP(set1_epi16)(m->y_offset), y_scale = VOP(set1_epi16)(m->y_scale);
  vec low = VOP(slli_epi16)(VOP(sub_epi16)(VOP(unpacklo_epi8)(luma, V_ZERO()), y_offset), 7);
  vec high = VOP(slli_epi16)(VOP(sub_epi16)(VOP(unpackhi_epi8)(luma, V_ZERO()), y_offset), 7);
  /* Half a level is added here instead of at the end: the sums below are exact, so the bits are the same. */
  const vec half = VOP(set1_epi16)(32);
  low = VOP(add_epi16)(VOP(mulhrs_epi16)(low, y_scale), half);
  high = VOP(add_epi16)(VOP(mulhrs_epi16)(high, y_scale), half);
  vec to_red = VOP(mulhrs_epi16)(v, VOP(set1_epi16)(m->v_to_r));
  vec to_blue = VOP(mulhrs_epi16)(u, VOP(set1_epi16)(m->u_to_b));
  vec to_green = VOP(add_epi16)(VOP(mulhrs_epi16)(u, VOP(set1_epi16)(m->u_to_g)),
                                VOP(mulhrs_epi16)(v, VOP(set1_epi16)(m->v_to_g)));
#define LEVELS(operation, chroma) \
  VOP(packus_epi16)(VOP(srai_epi16)(VOP(operation)(low, VOP(unpacklo_epi16)(chroma, chroma)), 6), \
                    VOP(srai_epi16)(VOP(operation)(high, VOP(unpackhi_epi16)(chroma, chroma)), 6))
  return (colours){LEVELS(adds_epi16, to_red), LEVELS(subs_epi16, to_green), LEVELS(adds_epi16, to_blue)};
#undef LEVELS
}

static inline __attribute__((always_inline)) void store_bgra(uint8_t *dst, colours c) {
  const vec opaque = VOP(set1_epi8)(-1);
  vec bg0 = VOP(unpacklo_epi8)(c.blue, c.green), bg1 = VOP(unpackhi_epi8)(c.blue, c.green);
  vec ra0 = VOP(unpacklo_epi8)(c.red, opaque), ra1 = VOP(unpackhi_epi8)(c.red, opaque);
  v_scatter(dst, 64, VOP(unpacklo_epi16)(bg0, ra0));
  v_scatter(dst + 16, 64, VOP(unpackhi_epi16)(bg0, ra0));
  v_scatter(dst + 32, 64, VOP(unpacklo_epi16)(bg1, ra1));
  v_scatter(dst + 48, 64, VOP(unpackhi_epi16)(bg1, ra1));
}

static inline __attribute__((always_inline)) void store_rgb(uint8_t *dst, colours c) {
  /* Per lane 16 pixels of each colour to 48 bytes: three shuffles a colour, put together by OR. */
#define TAKE(colour, ...) VOP(shuffle_epi8)(colour, V_LANES(_mm_setr_epi8(__VA_ARGS__)))
  vec a = V_OR(TAKE(c.red, 0, -1, -1, 1, -1, -1, 2, -1, -1, 3, -1, -1, 4, -1, -1, 5),
               V_OR(TAKE(c.green, -1, 0, -1, -1, 1, -1, -1, 2, -1, -1, 3, -1, -1, 4, -1, -1),
                    TAKE(c.blue, -1, -1, 0, -1, -1, 1, -1, -1, 2, -1, -1, 3, -1, -1, 4, -1)));
  vec b = V_OR(TAKE(c.red, -1, -1, 6, -1, -1, 7, -1, -1, 8, -1, -1, 9, -1, -1, 10, -1),
               V_OR(TAKE(c.green, 5, -1, -1, 6, -1, -1, 7, -1, -1, 8, -1, -1, 9, -1, -1, 10),
                    TAKE(c.blue, -1, 5, -1, -1, 6, -1, -1, 7, -1, -1, 8, -1, -1, 9, -1, -1)));
  vec d = V_OR(TAKE(c.red, -1, 11, -1, -1, 12, -1, -1, 13, -1, -1, 14, -1, -1, 15, -1, -1),
               V_OR(TAKE(c.green, -1, -1, 11, -1, -1, 12, -1, -1, 13, -1, -1, 14, -1, -1, 15, -1),
                    TAKE(c.blue, 10, -1, -1, 11, -1, -1, 12, -1, -1, 13, -1, -1, 14, -1, -1, 15)));
#undef TAKE
  v_scatter(dst, 48, a);
  v_scatter(dst + 16, 48, b);
  v_scatter(dst + 32, 48, d);
}

/* A block that overlaps must start at an even column: of an odd width the last column is left to the reference. */
#define BIPLANAR(kernel, channels, store) \
  void VARIANT(kernel)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *y, ptrdiff_t y_stride, const uint8_t *uv, \
                       ptrdiff_t uv_stride, int width, int height, const cvk_yuv_matrix *matrix) { \
    const int even = width & ~1; \
    const vec middle = VOP(set1_epi8)(-128), upper = VOP(set1_epi16)(-256); \
    if (even < V_BYTES) { \
      kernel##__scalar(dst, dst_stride, y, y_stride, uv, uv_stride, width, height, matrix); \
      return; \
    } \
    for (int row = 0; row < height; row++, dst += dst_stride, y += y_stride) { \
      const uint8_t *chroma = uv + row / 2 * uv_stride; \
      EACH_BLOCK(x, even, V_BYTES) { \
        vec both = V_XOR(V_LOAD(chroma + x), middle); \
        store(dst + channels * x, convert(V_LOAD(y + x), VOP(slli_epi16)(both, 8), V_AND(both, upper), matrix)); \
      } \
      if (even < width) \
        kernel##__scalar(dst + channels * even, dst_stride, y + even, y_stride, chroma + even, uv_stride, 1, 1, \
                         matrix); \
    } \
  }

#define PLANAR(kernel, channels, store) \
  void VARIANT(kernel)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *y, ptrdiff_t y_stride, const uint8_t *u, \
                       ptrdiff_t u_stride, const uint8_t *v, ptrdiff_t v_stride, int width, int height, \
                       const cvk_yuv_matrix *matrix) { \
    const int even = width & ~1; \
    const vec middle = VOP(set1_epi16)(-32768); \
    if (even < V_BYTES) { \
      kernel##__scalar(dst, dst_stride, y, y_stride, u, u_stride, v, v_stride, width, height, matrix); \
      return; \
    } \
    for (int row = 0; row < height; row++, dst += dst_stride, y += y_stride) { \
      const uint8_t *cb = u + row / 2 * u_stride, *cr = v + row / 2 * v_stride; \
      EACH_BLOCK(x, even, V_BYTES) { \
        vec us = V_XOR(VOP(slli_epi16)(V_FROM_U8_16(cb + x / 2), 8), middle); \
        vec vs = V_XOR(VOP(slli_epi16)(V_FROM_U8_16(cr + x / 2), 8), middle); \
        store(dst + channels * x, convert(V_LOAD(y + x), us, vs, matrix)); \
      } \
      if (even < width) \
        kernel##__scalar(dst + channels * even, dst_stride, y + even, y_stride, cb + even / 2, u_stride, \
                         cr + even / 2, v_stride, 1, 1, matrix); \
    } \
  }

BIPLANAR(cvk_u8_rgb_from_420_biplanar, 3, store_rgb)
BIPLANAR(cvk_u8_bgra_from_420_biplanar, 4, store_bgra)
PLANAR(cvk_u8_rgb_from_420_planar, 3, store_rgb)
PLANAR(cvk_u8_bgra_from_420_planar, 4, store_bgra)
