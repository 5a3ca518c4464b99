/* A row of a projective warp for 256- and 512-bit vectors: see vector.h. The positions of 64 pixels are found first, so
 * that the divisions of one block do not wait for the pixels of another; then sixteen pixels at a time go through
 * registers if all their neighbours lie inside, and through the reference if not. */
#include "vector.h"

enum {
  BITS = 14,
  ONE = 1 << BITS,
  BLOCK = 64,
  GROUP = 16,
  LANES = CVK_VECTOR_BITS / 128, /* pixels in a vector of words of two neighbours */
};

/* Bytes from the start of the source, and for each pixel the weights of the two columns and rows as words. */
typedef struct positions {
  int32_t at[BLOCK], across[BLOCK], down[BLOCK];
} positions;

/* Positions relative to the first pixel's, which is computed in double precision: i / (1 + i q) times the slope.
 * Returns a bit for each group of pixels: whether a neighbour lies outside. */
static inline __attribute__((always_inline)) unsigned find(positions *p, const cvk_projective_row *map, int x,
                                                           int src_stride, int src_width, int src_height) {
  const double inverse = 1 / (map->w + map->dw * x);
  const double u = (map->u + map->du * x) * inverse, v = (map->v + map->dv * x) * inverse;
  const double left = __builtin_floor(u), top = __builtin_floor(v);
  const int first_column = (int)left, first_row = (int)top;
  const float u0 = (float)(u - left), v0 = (float)(v - top);
  const float du = (float)((map->du - map->dw * u) * inverse), dv = (float)((map->dv - map->dw * v) * inverse);
  const float q = (float)(map->dw * inverse);
  /* Near the horizon single precision is not enough. */
  if (!(1 + q * (BLOCK - 1) > 0.1f)) return ~0u;
  const vecf scale = VOP(set1_ps)((float)ONE), one = VOP(set1_ps)(1);
  unsigned outside = 0;
  for (int i = 0; i < BLOCK; i += V_PIXELS) {
    float ramp[V_PIXELS];
    for (int k = 0; k < V_PIXELS; k++) ramp[k] = (float)(i + k);
    const vecf index = V_LOADF(ramp);
    const vecf share = VOP(div_ps)(index, VOP(fmadd_ps)(index, VOP(set1_ps)(q), one));
    const vecf across = VOP(fmadd_ps)(share, VOP(set1_ps)(du), VOP(set1_ps)(u0));
    const vecf down = VOP(fmadd_ps)(share, VOP(set1_ps)(dv), VOP(set1_ps)(v0));
    /* Whole part and fraction of 14 bits apart: together they may not fit. */
#if CVK_VECTOR_BITS == 256
    const vecf whole_across = _mm256_floor_ps(across), whole_down = _mm256_floor_ps(down);
#else
    const vecf whole_across = _mm512_roundscale_ps(across, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
    const vecf whole_down = _mm512_roundscale_ps(down, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#endif
    const vec fx = VOP(cvtps_epi32)(VOP(mul_ps)(VOP(sub_ps)(across, whole_across), scale));
    const vec fy = VOP(cvtps_epi32)(VOP(mul_ps)(VOP(sub_ps)(down, whole_down), scale));
    const vec column = VOP(add_epi32)(VOP(cvtps_epi32)(whole_across), VOP(set1_epi32)(first_column));
    const vec row = VOP(add_epi32)(VOP(cvtps_epi32)(whole_down), VOP(set1_epi32)(first_row));
    /* Negative where a coordinate is below 0 or above the last but one. */
    const vec beyond_columns = VOP(sub_epi32)(VOP(set1_epi32)(src_width - 2), column);
    const vec beyond_rows = VOP(sub_epi32)(VOP(set1_epi32)(src_height - 2), row);
    const vec signs = V_OR(V_OR(column, row), V_OR(beyond_columns, beyond_rows));
#if CVK_VECTOR_BITS == 256
    outside |= (unsigned)(_mm256_movemask_ps(_mm256_castsi256_ps(signs)) != 0) << i / GROUP;
#else
    outside |= (unsigned)(_mm512_movepi32_mask(signs) != 0) << i / GROUP;
#endif
    V_STORE(p->at + i, VOP(add_epi32)(VOP(mullo_epi32)(row, VOP(set1_epi32)(src_stride)), VOP(slli_epi32)(column, 2)));
    /* ONE - f in the lower word, f in the upper. */
    const vec ones = VOP(set1_epi32)(ONE);
    V_STORE(p->across + i, VOP(add_epi32)(ones, VOP(sub_epi32)(VOP(slli_epi32)(fx, 16), fx)));
    V_STORE(p->down + i, VOP(add_epi32)(ones, VOP(sub_epi32)(VOP(slli_epi32)(fy, 16), fy)));
  }
  return outside;
}

/* The weights of LANES pixels, each in all elements of its lane. */
static inline __attribute__((always_inline)) vec spread(const int32_t *weights) {
#if CVK_VECTOR_BITS == 256
  const __m128i two = _mm_loadl_epi64((const __m128i *)weights);
  return _mm256_permutevar8x32_epi32(_mm256_castsi128_si256(two), _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1));
#else
  const __m128i four = _mm_loadu_si128((const __m128i *)weights);
  return _mm512_permutexvar_epi32(_mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3),
                                  _mm512_castsi128_si512(four));
#endif
}

/* Two neighbouring pixels of each of LANES positions, as words. */
static inline __attribute__((always_inline)) vec load_pairs(const uint8_t *src, const int32_t *at) {
#define EIGHT(i) _mm_loadl_epi64((const __m128i *)(src + at[i]))
#define SIXTEEN(i) \
  _mm_castpd_si128(_mm_loadh_pd(_mm_castsi128_pd(EIGHT(i)), (const double *)(const void *)(src + at[i + 1])))
#if CVK_VECTOR_BITS == 256
  return _mm256_cvtepu8_epi16(SIXTEEN(0));
#else
  return _mm512_cvtepu8_epi16(_mm256_inserti128_si256(_mm256_castsi128_si256(SIXTEEN(0)), SIXTEEN(2), 1));
#endif
#undef SIXTEEN
#undef EIGHT
}

/* LANES pixels from pixel i on, an element of 32 bits a channel. */
static inline __attribute__((always_inline)) vec interpolate(const positions *p, int i, const uint8_t *src,
                                                             ptrdiff_t stride) {
  const vec above = load_pairs(src, p->at + i), below = load_pairs(src + stride, p->at + i);
  const vec down = spread(p->down + i), half = VOP(set1_epi32)(64);
  vec left = VOP(add_epi32)(VOP(madd_epi16)(VOP(unpacklo_epi16)(above, below), down), half);
  vec right = VOP(add_epi32)(VOP(madd_epi16)(VOP(unpackhi_epi16)(above, below), down), half);
  /* 15 bits each, side by side. */
  left = VOP(srli_epi32)(left, 7);
  right = V_AND(VOP(slli_epi32)(right, 9), VOP(set1_epi32)((int)0xffff0000));
  const vec sum = VOP(madd_epi16)(V_OR(left, right), spread(p->across + i));
  return VOP(srli_epi32)(VOP(add_epi32)(sum, VOP(set1_epi32)(1 << 20)), 21);
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
      for (int k = 0; k < GROUP; k += 4 * LANES) {
        vec part[4];
        for (int n = 0; n < 4; n++) part[n] = interpolate(&p, i + k + n * LANES, src, src_stride);
        V_STORE(out + 4 * k, v_pack_32_to_8(part[0], part[1], part[2], part[3]));
      }
    }
  }
}
