/* A row of a projective warp for 256- and 512-bit vectors: see vector.h. The positions of 64 pixels are found first, so
 * that the divisions of one block do not wait for the pixels of another; then a vector of pixels at a time goes through
 * registers if all their neighbours lie inside, and through the reference if not. */
#include "vector.h"

enum {
  BITS = 15,
  ONE = 1 << BITS,
  BLOCK = 64,
  GROUP = V_PIXELS,
  LINE = 16, /* pixels in a cache line */
  ROWS_AHEAD = 6,
};

/* Bytes from the start of the source, and for each pixel the fractions of column and row, in both words. */
typedef struct positions {
  int32_t at[BLOCK], across[BLOCK], down[BLOCK];
} positions;

/* A fraction below ONE in both words of its element. */
static inline __attribute__((always_inline)) vec in_both_words(vec position) {
  const vec fraction = V_AND(position, VOP(set1_epi32)(ONE - 1));
  return V_OR(fraction, VOP(slli_epi32)(fraction, 16));
}

/* Positions relative to the first pixel's, which is computed in double precision: i / (1 + i q) times the slope.
 * Returns a bit for each group of pixels: whether a neighbour lies outside. */
static inline __attribute__((always_inline)) unsigned find(positions *p, const cvk_projective_row *map, int x,
                                                           int src_stride, int src_width, int src_height) {
  const double inverse = 1 / (map->w + map->dw * x);
  const double u = (map->u + map->du * x) * inverse, v = (map->v + map->dv * x) * inverse;
  const double left = __builtin_floor(u), top = __builtin_floor(v);
  const float u0 = (float)(u - left) * ONE, v0 = (float)(v - top) * ONE;
  const float du = (float)((map->du - map->dw * u) * inverse) * ONE;
  const float dv = (float)((map->dv - map->dw * v) * inverse) * ONE;
  const float q = (float)(map->dw * inverse);
  /* Near the horizon single precision is not enough, and steep slopes have no room in 32 bits. */
  const float least = q < 0 ? 1 + q * (BLOCK - 1) : 1, steepest = least * (2147000000.0f / BLOCK - ONE);
  if (!(least > 0.1f && fabsf(du) < steepest && fabsf(dv) < steepest)) return ~0u;
  const vecf one = VOP(set1_ps)(1), curve = VOP(set1_ps)(q);
  const vec last_column = VOP(set1_epi32)(src_width - 2), last_row = VOP(set1_epi32)(src_height - 2);
  unsigned outside = 0;
  for (int i = 0; i < BLOCK; i += V_PIXELS) {
    float ramp[V_PIXELS];
    for (int k = 0; k < V_PIXELS; k++) ramp[k] = (float)(i + k);
    const vecf index = V_LOADF(ramp);
    const vecf share = VOP(div_ps)(index, VOP(fmadd_ps)(index, curve, one));
    const vec across = VOP(cvtps_epi32)(VOP(fmadd_ps)(share, VOP(set1_ps)(du), VOP(set1_ps)(u0)));
    const vec down = VOP(cvtps_epi32)(VOP(fmadd_ps)(share, VOP(set1_ps)(dv), VOP(set1_ps)(v0)));
    const vec column = VOP(add_epi32)(VOP(srai_epi32)(across, BITS), VOP(set1_epi32)((int)left));
    const vec row = VOP(add_epi32)(VOP(srai_epi32)(down, BITS), VOP(set1_epi32)((int)top));
    /* Negative where a coordinate is below 0 or above the last but one. */
    const vec beyond = V_OR(VOP(sub_epi32)(last_column, column), VOP(sub_epi32)(last_row, row));
    const vec signs = V_OR(V_OR(column, row), beyond);
#if CVK_VECTOR_BITS == 256
    outside |= (unsigned)(_mm256_movemask_ps(_mm256_castsi256_ps(signs)) != 0) << i / GROUP;
#else
    outside |= (unsigned)(_mm512_movepi32_mask(signs) != 0) << i / GROUP;
#endif
    V_STORE(p->at + i, VOP(add_epi32)(VOP(mullo_epi32)(row, VOP(set1_epi32)(src_stride)), VOP(slli_epi32)(column, 2)));
    V_STORE(p->across + i, in_both_words(across));
    V_STORE(p->down + i, in_both_words(down));
  }
  return outside;
}

/* Two neighbouring pixels of every fourth position, as words: those of a lane's first pixels, if `at` is the vector's
 * first position, or of its second ones, if it is the next. */
static inline __attribute__((always_inline)) vec load_pairs(const uint8_t *src, const int32_t *at) {
#define EIGHT(i) _mm_loadl_epi64((const __m128i *)(src + at[i]))
#define SIXTEEN(i) \
  _mm_castpd_si128(_mm_loadh_pd(_mm_castsi128_pd(EIGHT(i)), (const double *)(const void *)(src + at[i + 4])))
#if CVK_VECTOR_BITS == 256
  return _mm256_cvtepu8_epi16(SIXTEEN(0));
#else
  return _mm512_cvtepu8_epi16(_mm256_inserti128_si256(_mm256_castsi128_si256(SIXTEEN(0)), SIXTEEN(8), 1));
#endif
#undef SIXTEEN
#undef EIGHT
}

/* The means of the two rows, with seven bits of fraction. */
static inline __attribute__((always_inline)) vec between_rows(const uint8_t *src, ptrdiff_t stride, const int32_t *at,
                                                              vec down) {
  const vec above = load_pairs(src, at), below = load_pairs(src + stride, at);
  const vec step = VOP(mulhrs_epi16)(VOP(slli_epi16)(VOP(sub_epi16)(below, above), 7), down);
  return VOP(add_epi16)(VOP(slli_epi16)(above, 7), step);
}

/* The means of the two columns as words: a lane's pixels of `a`, then of `b`. */
static inline __attribute__((always_inline)) vec between_columns(vec a, vec b, vec across) {
  const vec left = VOP(unpacklo_epi64)(a, b), right = VOP(unpackhi_epi64)(a, b);
  const vec mean = VOP(add_epi16)(left, VOP(mulhrs_epi16)(VOP(sub_epi16)(right, left), across));
  return VOP(srli_epi16)(VOP(add_epi16)(mean, VOP(set1_epi16)(64)), 7);
}

/* The pixels from the i-th of the block on. */
static inline __attribute__((always_inline)) vec interpolate(const positions *p, int i, const uint8_t *src,
                                                             ptrdiff_t stride) {
  const vec down = V_LOAD(p->down + i), across = V_LOAD(p->across + i);
  const int32_t *at = p->at + i;
  const vec first = between_rows(src, stride, at, VOP(shuffle_epi32)(down, 0x00));
  const vec second = between_rows(src, stride, at + 1, VOP(shuffle_epi32)(down, 0x55));
  const vec third = between_rows(src, stride, at + 2, VOP(shuffle_epi32)(down, 0xAA));
  const vec fourth = between_rows(src, stride, at + 3, VOP(shuffle_epi32)(down, 0xFF));
  return VOP(packus_epi16)(between_columns(first, second, VOP(shuffle_epi32)(across, 0x50)),
                           between_columns(third, fourth, VOP(shuffle_epi32)(across, 0xFA)));
}

void VARIANT(cvk_u8_warp_row_c4)(uint8_t *dst, const uint8_t *src, ptrdiff_t src_stride, int width, int src_width,
                                 int src_height, const cvk_projective_row *map) {
  /* Positions are 32-bit numbers. */
  const int is_small = src_stride >= 0 ? src_stride <= INT32_MAX / src_height : src_stride >= -INT32_MAX / src_height;
  for (int x = 0; x < width; x += BLOCK) {
    positions p;
    const unsigned outside = is_small ? find(&p, map, x, (int)src_stride, src_width, src_height) : ~0u;
    const int count = width - x < BLOCK ? width - x : BLOCK;
    for (int i = 0; i < count; i += GROUP) {
      uint8_t *out = dst + 4 * (ptrdiff_t)(x + i);
      if (count - i < GROUP || (outside >> i / GROUP & 1)) {
        const double first = x + i;
        const cvk_projective_row rest = {map->u + map->du * first, map->v + map->dv * first, map->w + map->dw * first,
                                         map->du,                  map->dv,                  map->dw};
        cvk_u8_warp_row_c4__scalar(out, src, src_stride, count - i < GROUP ? count - i : GROUP, src_width, src_height,
                                   &rest);
        continue;
      }
      /* Rows that are made before and after this one read lines beside these: processors do not see that lines on a
       * slanted path follow each other. */
      if (i % LINE == 0) {
        v_prefetch(src + p.at[i], ROWS_AHEAD * src_stride, 1);
        v_prefetch(src + p.at[i], -ROWS_AHEAD * src_stride, 1);
      }
      V_STORE(out, interpolate(&p, i, src, src_stride));
    }
  }
}
