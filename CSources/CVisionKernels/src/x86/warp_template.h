/* Affine warp for 256- and 512-bit vectors: see vector.h. The part of a row whose four neighbours all lie inside goes
 * through registers, what touches the edge to the reference. Sums are exact, so their order does not matter. */
#include "vector.h"

enum {
  BITS = 7,
  ONE = 1 << BITS,
  SHIFT = 32 - BITS,
  HALF_BLOCK = CVK_VECTOR_BITS / 64, /* a coordinate is a 64-bit element */
};

/* Half a block of pixels: every second one. */
typedef struct positions {
  int64_t at[HALF_BLOCK]; /* bytes from the start of the source */
  vec across, down;       /* fractions, in the low half of each element */
} positions;

static inline __attribute__((always_inline)) positions find(int64_t column, int64_t row, vec columns, vec rows,
                                                            vec stride, int channels) {
  const vec fraction = V_EVERY64(ONE - 1);
  columns = VOP(add_epi64)(columns, V_EVERY64(column));
  rows = VOP(add_epi64)(rows, V_EVERY64(row));
  vec x = VOP(srli_epi64)(columns, 32); /* inside: not negative */
  vec bytes = channels == 1   ? x
              : channels == 4 ? VOP(slli_epi64)(x, 2)
                              : VOP(add_epi64)(x, VOP(slli_epi64)(x, 1));
  positions found;
  V_STORE(found.at, VOP(add_epi64)(bytes, VOP(mul_epi32)(VOP(srli_epi64)(rows, 32), stride)));
  found.across = V_AND(VOP(srli_epi64)(columns, SHIFT), fraction);
  found.down = V_AND(VOP(srli_epi64)(rows, SHIFT), fraction);
  return found;
}

/* In 32-bit elements: the weights of left and right as words, and those of upper and lower as bytes, twice. */
static inline __attribute__((always_inline)) vec across_weights(vec across) {
  return VOP(add_epi32)(VOP(set1_epi32)(ONE), VOP(sub_epi32)(VOP(slli_epi32)(across, 16), across));
}
static inline __attribute__((always_inline)) vec down_weights(vec down) {
  vec pair = VOP(add_epi32)(VOP(set1_epi32)(ONE), VOP(sub_epi32)(VOP(slli_epi32)(down, 8), down));
  return V_OR(pair, VOP(slli_epi32)(pair, 16));
}

/* Elements of four bytes, upper left, lower left, upper right and lower right, to values of 0 to 255. Weights go up to
 * 128, which only the unsigned side of the product can hold: the pixels are made signed and the offset is added
 * later. */
static inline __attribute__((always_inline)) vec interpolate(vec quads, vec across, vec down) {
  vec columns = VOP(maddubs_epi16)(down, V_XOR(quads, VOP(set1_epi8)(-128)));
  vec sum = VOP(madd_epi16)(columns, across);
  return VOP(srli_epi32)(VOP(add_epi32)(sum, VOP(set1_epi32)((1 << (2 * BITS - 1)) + ONE * ONE * 128)), 2 * BITS);
}

/* In each lane eight bytes at a pixel, then eight at the one below. */
static inline __attribute__((always_inline)) vec load_quads(const uint8_t *src, ptrdiff_t stride, const int64_t *at) {
#define QUAD(i) \
  _mm_castpd_si128(_mm_loadh_pd(_mm_castsi128_pd(_mm_loadl_epi64((const __m128i *)(src + at[i]))), \
                                (const double *)(const void *)(src + at[i] + stride)))
  return V_JOIN(QUAD);
#undef QUAD
}

/* HALF_BLOCK pixels of words, two in a lane. */
static inline __attribute__((always_inline)) void store_pixels(uint8_t *dst, vec words, int channels) {
  const __m128i compact = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
#if CVK_VECTOR_BITS == 256
  __m128i bytes = _mm256_castsi256_si128(_mm256_permute4x64_epi64(_mm256_packus_epi16(words, words), 0x08));
  if (channels == 4) {
    _mm_storeu_si128((__m128i *)dst, bytes);
  } else {
    bytes = _mm_shuffle_epi8(bytes, compact);
    int last = _mm_extract_epi32(bytes, 2);
    _mm_storel_epi64((__m128i *)dst, bytes);
    memcpy(dst + 8, &last, 4);
  }
#else
  __m256i bytes = _mm512_cvtepi16_epi8(words);
  if (channels == 4) {
    _mm256_storeu_si256((__m256i *)dst, bytes);
  } else {
    bytes = _mm256_shuffle_epi8(bytes, _mm256_broadcastsi128_si256(compact));
    bytes = _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 6, 6));
    _mm256_mask_storeu_epi32(dst, 0x3F, bytes);
  }
#endif
}

/* `count` is at least the block: HALF_BLOCK pixels of several channels, twice as many of one. */
static inline __attribute__((always_inline)) void inner(uint8_t *dst, const uint8_t *src, ptrdiff_t src_stride,
                                                        int count, int channels, int64_t column, int64_t row,
                                                        int64_t xx, int64_t yx) {
  const __m128i order = channels == 4 ? _mm_setr_epi8(0, 8, 4, 12, 1, 9, 5, 13, 2, 10, 6, 14, 3, 11, 7, 15)
                                      : _mm_setr_epi8(0, 8, 3, 11, 1, 9, 4, 12, 2, 10, 5, 13, -1, -1, -1, -1);
  const vec pairs = V_LANES(order), stride = V_EVERY64(src_stride);
  int64_t ramp[2][HALF_BLOCK];
  for (int i = 0; i < HALF_BLOCK; i++) ramp[0][i] = xx * i, ramp[1][i] = yx * i;
  const vec columns = V_LOAD(ramp[0]), rows = V_LOAD(ramp[1]);
  EACH_BLOCK(x, count, HALF_BLOCK) {
    positions p = find(column + xx * x, row + yx * x, columns, rows, stride, channels);
    vec across = across_weights(V_OR(p.across, VOP(slli_epi64)(p.across, 32)));
    vec down = down_weights(V_OR(p.down, VOP(slli_epi64)(p.down, 32)));
#if CVK_VECTOR_BITS == 256
    const int64_t even[2] = {p.at[0], p.at[2]}, odd[2] = {p.at[1], p.at[3]};
#else
    const int64_t even[4] = {p.at[0], p.at[2], p.at[4], p.at[6]}, odd[4] = {p.at[1], p.at[3], p.at[5], p.at[7]};
#endif
    vec a = interpolate(VOP(shuffle_epi8)(load_quads(src, src_stride, even), pairs),
                        VOP(unpacklo_epi64)(across, across), VOP(unpacklo_epi64)(down, down));
    vec b = interpolate(VOP(shuffle_epi8)(load_quads(src, src_stride, odd), pairs),
                        VOP(unpackhi_epi64)(across, across), VOP(unpackhi_epi64)(down, down));
    store_pixels(dst + (ptrdiff_t)channels * x, VOP(packs_epi32)(a, b), channels);
  }
}

/* The same for one channel: an element of 32 bits a pixel. */
static inline __attribute__((always_inline)) void inner_c1(uint8_t *dst, const uint8_t *src, ptrdiff_t src_stride,
                                                           int count, int64_t column, int64_t row, int64_t xx,
                                                           int64_t yx) {
  const vec pairs = V_LANES(_mm_setr_epi8(0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15));
  const vec stride = V_EVERY64(src_stride);
  int64_t ramp[2][HALF_BLOCK];
  for (int i = 0; i < HALF_BLOCK; i++) ramp[0][i] = 2 * xx * i, ramp[1][i] = 2 * yx * i;
  const vec columns = V_LOAD(ramp[0]), rows = V_LOAD(ramp[1]);
  const uint8_t *below = src + src_stride;
  EACH_BLOCK(x, count, 2 * HALF_BLOCK) {
    positions even = find(column + xx * x, row + yx * x, columns, rows, stride, 1);
    positions odd = find(column + xx * (x + 1), row + yx * (x + 1), columns, rows, stride, 1);
    uint64_t quads[HALF_BLOCK];
    for (int i = 0; i < HALF_BLOCK; i++) {
      uint16_t part[4];
      memcpy(part, src + even.at[i], 2);
      memcpy(part + 1, below + even.at[i], 2);
      memcpy(part + 2, src + odd.at[i], 2);
      memcpy(part + 3, below + odd.at[i], 2);
      quads[i] = (part[0] | (uint32_t)part[1] << 16) | (uint64_t)(part[2] | (uint32_t)part[3] << 16) << 32;
    }
    vec across = across_weights(V_OR(even.across, VOP(slli_epi64)(odd.across, 32)));
    vec down = down_weights(V_OR(even.down, VOP(slli_epi64)(odd.down, 32)));
    vec values = interpolate(VOP(shuffle_epi8)(V_LOAD(quads), pairs), across, down);
#if CVK_VECTOR_BITS == 256
    __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(values), _mm256_extracti128_si256(values, 1));
    _mm_storel_epi64((__m128i *)(dst + x), _mm_packus_epi16(words, words));
#else
    _mm_storeu_si128((__m128i *)(dst + x), _mm512_cvtepi32_epi8(values));
#endif
  }
}

typedef struct span { int64_t start, end; } span;

static inline int64_t floor_quotient(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

/* The part of `within` where 0 <= first + step * x < limit. */
static span part_inside(span within, int64_t first, int64_t step, int64_t limit) {
  span s = within;
  if (step == 0) return first >= 0 && first < limit ? s : (span){within.start, within.start};
  if (step > 0) {
    s.start = -floor_quotient(first, step);
    s.end = -floor_quotient(first - limit, step);
  } else {
    s.start = floor_quotient(first - limit, -step) + 1;
    s.end = floor_quotient(first, -step) + 1;
  }
  if (s.start < within.start) s.start = within.start;
  if (s.end > within.end) s.end = within.end;
  return s.start < s.end ? s : (span){within.start, within.start};
}

/* Pixels whose neighbours may lie outside, where the nearest pixel of the edge stands for them: the reference without
 * its choices. */
static inline __attribute__((always_inline)) void clamped(uint8_t *dst, const uint8_t *src, ptrdiff_t src_stride,
                                                          int64_t count, int channels, int src_width, int src_height,
                                                          int64_t column, int64_t row, int64_t xx, int64_t yx) {
  const int64_t right = src_width - 1, bottom = src_height - 1;
#define CLAMP(value, limit) ((value) < 0 ? 0 : (value) > (limit) ? (limit) : (value))
  for (int64_t i = 0; i < count; i++, column += xx, row += yx) {
    const int across = (int)(column >> SHIFT) & (ONE - 1), down = (int)(row >> SHIFT) & (ONE - 1);
    const int64_t x = column >> 32, y = row >> 32;
    const int64_t x0 = CLAMP(x, right) * channels, x1 = CLAMP(x + 1, right) * channels;
    const uint8_t *upper = src + CLAMP(y, bottom) * src_stride, *lower = src + CLAMP(y + 1, bottom) * src_stride;
    for (int c = 0; c < channels; c++) {
      const int above = upper[x0 + c] * (ONE - across) + upper[x1 + c] * across;
      const int below = lower[x0 + c] * (ONE - across) + lower[x1 + c] * across;
      dst[i * channels + c] = (uint8_t)((above * (ONE - down) + below * down + (1 << (2 * BITS - 1))) >> (2 * BITS));
    }
  }
#undef CLAMP
}

static inline void fill(uint8_t *dst, int64_t count, int channels, const uint8_t *colour) {
  if (channels == 1) {
    memset(dst, colour[0], (size_t)count);
    return;
  }
  for (int64_t x = 0; x < count; x++, dst += channels)
    for (int c = 0; c < channels; c++) dst[c] = colour[c];
}

void VARIANT(cvk_u8_warp_affine)(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                                 int width, int height, int src_width, int src_height, int channels,
                                 const cvk_affine *map, int border, const uint8_t *colour) {
  if (src_stride != (int32_t)src_stride) { /* positions are computed with 32-bit factors */
    cvk_u8_warp_affine__scalar(dst, dst_stride, src, src_stride, width, height, src_width, src_height, channels, map,
                               border, colour);
    return;
  }
  /* Eight bytes are loaded at a pixel of three, so it must not be too close to the end of its row. */
  const int64_t half = (int64_t)1 << (SHIFT - 1), one = (int64_t)1 << 32;
  const int64_t columns = (src_width - (channels == 3 ? 2 : 1)) * one, rows = (src_height - 1) * one;
  const int block = channels == 1 ? 2 * HALF_BLOCK : HALF_BLOCK;
  for (int y = 0; y < height; y++, dst += dst_stride) {
    /* Rounded as the reference does it: then the whole part is the upper half. */
    const int64_t column = map->xy * y + map->x0 + half, row = map->yy * y + map->y0 + half;
    /* Pixels that need the source at all, and those that need nothing else. */
    span touching = {0, width};
    if (border == CVK_BORDER_CONSTANT) {
      touching = part_inside(touching, column + one, map->xx, (src_width + 1) * one);
      touching = part_inside(touching, row + one, map->yx, (src_height + 1) * one);
      fill(dst, touching.start, channels, colour);
      fill(dst + touching.end * channels, width - touching.end, channels, colour);
    }
    span inside = part_inside(part_inside(touching, column, map->xx, columns), row, map->yx, rows);
    if (inside.end - inside.start < block) inside.end = inside.start;
    const int count = (int)(inside.end - inside.start);
    const int64_t first_column = column + map->xx * inside.start, first_row = row + map->yx * inside.start;
    if (count && channels == 4)
      inner(dst + 4 * inside.start, src, src_stride, count, 4, first_column, first_row, map->xx, map->yx);
    else if (count && channels == 3)
      inner(dst + 3 * inside.start, src, src_stride, count, 3, first_column, first_row, map->xx, map->yx);
    else if (count)
      inner_c1(dst + inside.start, src, src_stride, count, first_column, first_row, map->xx, map->yx);
    const span edges[2] = {{touching.start, inside.start}, {inside.end, touching.end}};
    for (int side = 0; side < 2; side++) {
      const span edge = edges[side];
      if (border == CVK_BORDER_REPLICATE) {
        const int64_t left = column + map->xx * edge.start, top = row + map->yx * edge.start;
        const int64_t pixels = edge.end - edge.start;
        uint8_t *to = dst + edge.start * channels;
        if (channels == 3)
          clamped(to, src, src_stride, pixels, 3, src_width, src_height, left, top, map->xx, map->yx);
        else if (channels == 4)
          clamped(to, src, src_stride, pixels, 4, src_width, src_height, left, top, map->xx, map->yx);
        else
          clamped(to, src, src_stride, pixels, 1, src_width, src_height, left, top, map->xx, map->yx);
        continue;
      }
      cvk_affine moved = *map;
      moved.x0 += map->xx * edge.start + map->xy * y;
      moved.y0 += map->yx * edge.start + map->yy * y;
      if (edge.start < edge.end)
        cvk_u8_warp_affine__scalar(dst + edge.start * channels, dst_stride, src, src_stride,
                                   (int)(edge.end - edge.start), 1, src_width, src_height, channels, &moved, border,
                                   colour);
    }
  }
}
