/* Y'CbCr conversions: vqrdmulh rounds as the reference's products do. */
#include "internal.h"

#if CVK_ARM

#include <arm_neon.h>

void cvk_u8_grey_from_video_luma__neon(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                                       int width, int height) {
  for (int y = 0; y < height; y++, dst += dst_stride, src += src_stride) {
    int x = 0;
    for (; x + 16 <= width; x += 16) {
      const uint8x16_t above = vqsubq_u8(vld1q_u8(src + x), vdupq_n_u8(16));
      const int16x8_t low = vreinterpretq_s16_u16(vshll_n_u8(vget_low_u8(above), 1));
      const int16x8_t high = vreinterpretq_s16_u16(vshll_n_u8(vget_high_u8(above), 1));
      vst1q_u8(dst + x, vcombine_u8(vqmovun_s16(vqrdmulhq_n_s16(low, 19077)),
                                    vqmovun_s16(vqrdmulhq_n_s16(high, 19077))));
    }
    cvk_u8_grey_from_video_luma__scalar(dst + x, 0, src + x, 0, width - x, 1);
  }
}

typedef struct colours { uint8x16_t red, green, blue; } colours;

static inline int16x8_t centred(uint8x8_t chroma) {
  return vreinterpretq_s16_u16(vshll_n_u8(veor_u8(chroma, vdup_n_u8(128)), 8));
}

/* Sixteen pixels and their eight samples of chroma. */
static inline colours convert(uint8x16_t luma, uint8x8_t cb, uint8x8_t cr, const cvk_yuv_matrix *m) {
  const int16x8_t u = centred(cb), v = centred(cr), offset = vdupq_n_s16(m->y_offset);
  int16x8_t base[2] = {vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(luma))),
                       vreinterpretq_s16_u16(vmovl_u8(vget_high_u8(luma)))};
  for (int i = 0; i < 2; i++) base[i] = vqrdmulhq_n_s16(vshlq_n_s16(vsubq_s16(base[i], offset), 7), m->y_scale);
  const int16x8_t to_red = vqrdmulhq_n_s16(v, m->v_to_r), to_blue = vqrdmulhq_n_s16(u, m->u_to_b);
  const int16x8_t to_green = vaddq_s16(vqrdmulhq_n_s16(u, m->u_to_g), vqrdmulhq_n_s16(v, m->v_to_g));
#define LEVELS(operation, chroma) \
  vcombine_u8(vqrshrun_n_s16(operation(base[0], vzip1q_s16(chroma, chroma)), 6), \
              vqrshrun_n_s16(operation(base[1], vzip2q_s16(chroma, chroma)), 6))
  return (colours){LEVELS(vqaddq_s16, to_red), LEVELS(vqsubq_s16, to_green), LEVELS(vqaddq_s16, to_blue)};
#undef LEVELS
}

static inline void store_rgb(uint8_t *dst, colours c) {
  const uint8x16x3_t p = {{c.red, c.green, c.blue}};
  vst3q_u8(dst, p);
}

static inline void store_bgra(uint8_t *dst, colours c) {
  const uint8x16x4_t p = {{c.blue, c.green, c.red, vdupq_n_u8(255)}};
  vst4q_u8(dst, p);
}

#define BIPLANAR(kernel, channels, store) \
  void kernel##__neon(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *y, ptrdiff_t y_stride, const uint8_t *uv, \
                      ptrdiff_t uv_stride, int width, int height, const cvk_yuv_matrix *matrix) { \
    for (int row = 0; row < height; row++, dst += dst_stride, y += y_stride) { \
      const uint8_t *chroma = uv + row / 2 * uv_stride; \
      int x = 0; \
      for (; x + 16 <= width; x += 16) { \
        const uint8x8x2_t both = vld2_u8(chroma + x); \
        store(dst + channels * x, convert(vld1q_u8(y + x), both.val[0], both.val[1], matrix)); \
      } \
      kernel##__scalar(dst + channels * x, 0, y + x, 0, chroma + x, 0, width - x, 1, matrix); \
    } \
  }

#define PLANAR(kernel, channels, store) \
  void kernel##__neon(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *y, ptrdiff_t y_stride, const uint8_t *u, \
                      ptrdiff_t u_stride, const uint8_t *v, ptrdiff_t v_stride, int width, int height, \
                      const cvk_yuv_matrix *matrix) { \
    for (int row = 0; row < height; row++, dst += dst_stride, y += y_stride) { \
      const uint8_t *cb = u + row / 2 * u_stride, *cr = v + row / 2 * v_stride; \
      int x = 0; \
      for (; x + 16 <= width; x += 16) \
        store(dst + channels * x, convert(vld1q_u8(y + x), vld1_u8(cb + x / 2), vld1_u8(cr + x / 2), matrix)); \
      kernel##__scalar(dst + channels * x, 0, y + x, 0, cb + x / 2, 0, cr + x / 2, 0, width - x, 1, matrix); \
    } \
  }

BIPLANAR(cvk_u8_rgb_from_420_biplanar, 3, store_rgb)
BIPLANAR(cvk_u8_bgra_from_420_biplanar, 4, store_bgra)
PLANAR(cvk_u8_rgb_from_420_planar, 3, store_rgb)
PLANAR(cvk_u8_bgra_from_420_planar, 4, store_bgra)

#endif
