/* Colour conversions for 256- and 512-bit vectors: see vector.h. A pixel is a 32-bit element while it is processed. The
 * end of a row is done by a block that overlaps the one before; rows shorter than a block go to the scalar
 * reference. */
#include "vector.h"

static inline __attribute__((always_inline)) vec weigh(vec pixels, vec even, vec odd, vec half) {
  vec a = VOP(madd_epi16)(V_AND(pixels, VOP(set1_epi32)(0x00FF00FF)), even);
  vec b = VOP(madd_epi16)(VOP(srli_epi16)(pixels, 8), odd);
  return VOP(srli_epi32)(VOP(add_epi32)(VOP(add_epi32)(a, half), b), 15);
}


#define GREY(channels, load) \
  const int block = 4 * V_PIXELS; \
  const vec half = VOP(set1_epi32)(1 << 14); \
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride) \
    EACH_BLOCK(x, width, block) { \
      const uint8_t *p = src + channels * x; \
      vec a = weigh(load(p), even, odd, half), b = weigh(load(p + channels * V_PIXELS), even, odd, half); \
      vec c = weigh(load(p + channels * 2 * V_PIXELS), even, odd, half); \
      vec d = weigh(load(p + channels * 3 * V_PIXELS), even, odd, half); \
      V_STORE(dst + x, v_pack_32_to_8(a, b, c, d)); \
    }

void VARIANT(cvk_u8_grey_from_c4)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                                  int width, int height, const int16_t weights[4]) {
  if (width < 4 * V_PIXELS) {
    cvk_u8_grey_from_c4__scalar(dst, dst_stride, src, src_stride, width, height, weights);
    return;
  }
  const vec even = VOP(set1_epi32)(weights[0] | weights[2] << 16), odd = VOP(set1_epi32)(weights[1] | weights[3] << 16);
  GREY(4, V_LOAD)
}

void VARIANT(cvk_u8_grey_from_c3)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                                  int width, int height, const int16_t weights[3]) {
  if (width < 4 * V_PIXELS) {
    cvk_u8_grey_from_c3__scalar(dst, dst_stride, src, src_stride, width, height, weights);
    return;
  }
  const vec even = VOP(set1_epi32)(weights[0] | weights[2] << 16), odd = VOP(set1_epi32)(weights[1]);
  GREY(3, v_load_c3)
}

/* A byte shuffle for `pixels` pixels a lane of four bytes, and the bytes to set afterwards. */
typedef struct reorder { __m128i shuffle, set; } reorder;

static inline reorder reorder_make(const uint8_t *order, int channels) {
  int8_t shuffle[16], set[16];
  for (int i = 0; i < 16; i++) {
    int used = i < 4 * channels, source = used ? order[i % channels] : CVK_OPAQUE;
    shuffle[i] = (int8_t)(source == CVK_OPAQUE ? -1 : i / channels * 4 + source);
    set[i] = (int8_t)(used && source == CVK_OPAQUE ? -1 : 0);
  }
  return (reorder){_mm_loadu_si128((const __m128i *)shuffle), _mm_loadu_si128((const __m128i *)set)};
}

#define REORDERED(load, channels, x) V_OR(VOP(shuffle_epi8)(load(src + (channels) * (x)), shuffle), set)
#define REORDER(kernel, dst_channels, src_channels, load, store) \
  void VARIANT(kernel)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width, \
                       int height, const uint8_t order[dst_channels]) { \
    if (width < V_PIXELS) { \
      kernel##__scalar(dst, dst_stride, src, src_stride, width, height, order); \
      return; \
    } \
    reorder r = reorder_make(order, dst_channels); \
    const vec shuffle = V_LANES(r.shuffle), set = V_LANES(r.set); \
    for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride) \
      EACH_BLOCK(x, width, V_PIXELS) { \
        store(dst + dst_channels * x, REORDERED(load, src_channels, x)); \
      } \
  }

REORDER(cvk_u8_c4_from_c4, 4, 4, V_LOAD, V_STORE)
REORDER(cvk_u8_c4_from_c3, 4, 3, v_load_c3, V_STORE)

#define REORDER_TO_C3(kernel, src_channels, load) \
  void VARIANT(kernel)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width, \
                       int height, const uint8_t order[3]) { \
    if (width < 4 * V_PIXELS) { \
      kernel##__scalar(dst, dst_stride, src, src_stride, width, height, order); \
      return; \
    } \
    reorder r = reorder_make(order, 3); \
    const vec shuffle = V_LANES(r.shuffle), set = V_LANES(r.set); \
    for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride) \
      EACH_BLOCK(x, width, 4 * V_PIXELS) { \
        v_store_c3_four(dst + 3 * x, REORDERED(load, src_channels, x), REORDERED(load, src_channels, x + V_PIXELS), \
                        REORDERED(load, src_channels, x + 2 * V_PIXELS), \
                        REORDERED(load, src_channels, x + 3 * V_PIXELS)); \
      } \
  }

REORDER_TO_C3(cvk_u8_c3_from_c4, 4, V_LOAD)
REORDER_TO_C3(cvk_u8_c3_from_c3, 3, v_load_c3)

static inline __attribute__((always_inline)) vec load_grey(const uint8_t *p) { return V_FROM_U8_32(p); }

void VARIANT(cvk_u8_c4_from_grey)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                                  int width, int height, int alpha) {
  if (width < V_PIXELS) {
    cvk_u8_c4_from_grey__scalar(dst, dst_stride, src, src_stride, width, height, alpha);
    return;
  }
  const vec shuffle = V_LANES(_mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12));
  const vec set = VOP(set1_epi32)((int)(0xFFu << 8 * (alpha & 3)));
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride)
    EACH_BLOCK(x, width, V_PIXELS) V_STORE(dst + 4 * x, V_OR(VOP(shuffle_epi8)(load_grey(src + x), shuffle), set));
}

void VARIANT(cvk_u8_c3_from_grey)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                                  int width, int height) {
  if (width < 4 * V_PIXELS) {
    cvk_u8_c3_from_grey__scalar(dst, dst_stride, src, src_stride, width, height);
    return;
  }
  const vec shuffle = V_LANES(_mm_setr_epi8(0, 0, 0, 4, 4, 4, 8, 8, 8, 12, 12, 12, -1, -1, -1, -1));
#define GREYS(i) VOP(shuffle_epi8)(load_grey(src + x + (i) * V_PIXELS), shuffle)
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride)
    EACH_BLOCK(x, width, 4 * V_PIXELS) v_store_c3_four(dst + 3 * x, GREYS(0), GREYS(1), GREYS(2), GREYS(3));
#undef GREYS
}
