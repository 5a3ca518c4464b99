/* Between bytes, half floats and floats for 256- and 512-bit vectors: see vector.h. Products are rounded before the
 * bias is added, as in the reference. */
#include "vector.h"

static inline __attribute__((always_inline)) vec load_bytes(const uint8_t *p) { return V_FROM_U8_32(p); }

#define SCALED(integers, scale, bias) VOP(add_ps)(VOP(mul_ps)(VOP(cvtepi32_ps)(integers), scale), bias)

void VARIANT(cvk_f32_from_u8)(float *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, int width,
                              int height, float scale, float bias) {
  if (width < V_PIXELS) {
    cvk_f32_from_u8__scalar(dst, dst_stride, src, src_stride, width, height, scale, bias);
    return;
  }
  const vecf scales = VOP(set1_ps)(scale), biases = VOP(set1_ps)(bias);
  for (int y = 0; y < height; y++) {
    float *out = ROW(float, dst, dst_stride, y);
    EACH_BLOCK(x, width, V_PIXELS) V_STOREF(out + x, SCALED(load_bytes(src + y * src_stride + x), scales, biases));
  }
}

void VARIANT(cvk_u8_from_f32)(uint8_t *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride, int width,
                              int height, float scale, float bias) {
  if (width < 4 * V_PIXELS) {
    cvk_u8_from_f32__scalar(dst, dst_stride, src, src_stride, width, height, scale, bias);
    return;
  }
  const vecf scales = VOP(set1_ps)(scale), biases = VOP(set1_ps)(bias);
  const vecf zero = VOP(setzero_ps)(), most = VOP(set1_ps)(255);
  for (int y = 0; y < height; y++) {
    const float *in = CONST_ROW(float, src, src_stride, y);
    EACH_BLOCK(x, width, 4 * V_PIXELS) {
      vec part[4];
      for (int i = 0; i < 4; i++) {
        vecf value = VOP(add_ps)(VOP(mul_ps)(V_LOADF(in + x + i * V_PIXELS), scales), biases);
        part[i] = VOP(cvtps_epi32)(VOP(min_ps)(VOP(max_ps)(value, zero), most)); /* max(NaN, 0) is 0 */
      }
      V_STORE(dst + y * dst_stride + x, v_pack_32_to_8(part[0], part[1], part[2], part[3]));
    }
  }
}

void VARIANT(cvk_f32_from_f16)(float *dst, ptrdiff_t dst_stride, const uint16_t *src, ptrdiff_t src_stride, int width,
                               int height) {
  if (width < V_PIXELS) {
    cvk_f32_from_f16__scalar(dst, dst_stride, src, src_stride, width, height);
    return;
  }
  for (int y = 0; y < height; y++) {
    float *out = ROW(float, dst, dst_stride, y);
    const uint16_t *in = CONST_ROW(uint16_t, src, src_stride, y);
    EACH_BLOCK(x, width, V_PIXELS)
#if CVK_VECTOR_BITS == 256
    V_STOREF(out + x, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(in + x))));
#else
    V_STOREF(out + x, _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(in + x))));
#endif
  }
}

static inline __attribute__((always_inline)) void planar(float *dst, ptrdiff_t dst_stride, ptrdiff_t plane_stride,
                                                         const uint8_t *src, ptrdiff_t src_stride, int width,
                                                         int height, int channels, const uint8_t *order,
                                                         const float *scale, const float *bias) {
  const vec low = VOP(set1_epi32)(255);
  __m128i shift[3];
  vecf scales[3], biases[3];
  for (int c = 0; c < 3; c++) {
    shift[c] = _mm_cvtsi32_si128(8 * order[c]);
    scales[c] = VOP(set1_ps)(scale[c]);
    biases[c] = VOP(set1_ps)(bias[c]);
  }
  for (int y = 0; y < height; y++, src += src_stride) {
    float *out[3];
    for (int c = 0; c < 3; c++) out[c] = ROW(float, ROW(float, dst, plane_stride, c), dst_stride, y);
    EACH_BLOCK(x, width, V_PIXELS) {
      vec pixels = channels == 4 ? V_LOAD(src + 4 * x) : v_load_c3(src + 3 * x);
      for (int c = 0; c < 3; c++)
        V_STOREF(out[c] + x, SCALED(V_AND(VOP(srl_epi32)(pixels, shift[c]), low), scales[c], biases[c]));
    }
  }
}

void VARIANT(cvk_f32_planar_from_c4)(float *dst, ptrdiff_t dst_stride, ptrdiff_t plane_stride, const uint8_t *src,
                                     ptrdiff_t src_stride, int width, int height, const uint8_t order[3],
                                     const float scale[3], const float bias[3]) {
  if (width < V_PIXELS)
    cvk_f32_planar_from_c4__scalar(dst, dst_stride, plane_stride, src, src_stride, width, height, order, scale, bias);
  else
    planar(dst, dst_stride, plane_stride, src, src_stride, width, height, 4, order, scale, bias);
}

void VARIANT(cvk_f32_planar_from_c3)(float *dst, ptrdiff_t dst_stride, ptrdiff_t plane_stride, const uint8_t *src,
                                     ptrdiff_t src_stride, int width, int height, const float scale[3],
                                     const float bias[3]) {
  static const uint8_t order[3] = {0, 1, 2};
  if (width < V_PIXELS)
    cvk_f32_planar_from_c3__scalar(dst, dst_stride, plane_stride, src, src_stride, width, height, scale, bias);
  else
    planar(dst, dst_stride, plane_stride, src, src_stride, width, height, 3, order, scale, bias);
}

void VARIANT(cvk_f32_interleaved_from_c3)(float *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                                          int width, int height, const float scale[3], const float bias[3]) {
  enum { BLOCK = 3 * V_PIXELS }; /* floats: a whole number of pixels */
  if (width < V_PIXELS) {
    cvk_f32_interleaved_from_c3__scalar(dst, dst_stride, src, src_stride, width, height, scale, bias);
    return;
  }
  float wide[2][BLOCK];
  for (int i = 0; i < BLOCK; i++) wide[0][i] = scale[i % 3], wide[1][i] = bias[i % 3];
  vecf scales[3], biases[3];
  for (int i = 0; i < 3; i++) scales[i] = V_LOADF(wide[0] + i * V_PIXELS), biases[i] = V_LOADF(wide[1] + i * V_PIXELS);
  for (int y = 0; y < height; y++) {
    float *out = ROW(float, dst, dst_stride, y);
    EACH_BLOCK(x, 3 * width, BLOCK)
    for (int i = 0; i < 3; i++)
      V_STOREF(out + x + i * V_PIXELS,
               SCALED(load_bytes(src + y * src_stride + x + i * V_PIXELS), scales[i], biases[i]));
  }
}
