/* Kernels that find what moves in a video, written once and compiled for every instruction set. A file of an
 * instruction set defines VARIANT(name), which makes the name of its variant, and includes this. */
typedef uint8_t motion_lanes __attribute__((vector_size(64)));

#define MOTION_CHOOSE(mask, a, b) ((motion_lanes)(((mask) & (a)) | (~(mask) & (b))))

void VARIANT(cvk_u8_motion_median)(uint8_t *dst, const uint8_t *const *src, int count, ptrdiff_t pixels) {
  enum { LANES = 64 };
  for (ptrdiff_t x = 0; x < pixels; x += LANES) {
    const size_t part = pixels - x < LANES ? (size_t)(pixels - x) : LANES;
    motion_lanes p[CVK_MOTION_MOST];
    for (int i = 0; i < count; i++) {
      if (part == LANES) {
        memcpy(p + i, src[i] + x, LANES);
      } else {
        memset(p + i, 0, LANES);
        memcpy(p + i, src[i] + x, part);
      }
    }
    /* The smallest ones first, up to the middle. */
    for (int i = 0; i <= count / 2; i++)
      for (int j = i + 1; j < count; j++) {
        const motion_lanes a = p[i], b = p[j], less = (motion_lanes)(a < b);
        p[i] = MOTION_CHOOSE(less, a, b), p[j] = MOTION_CHOOSE(less, b, a);
      }
    memcpy(dst + x, p + count / 2, part);
  }
}

#define MOTION_LESS(a, b) ((a) < (b) ? (a) : (b))
#define MOTION_MORE(a, b) ((a) < (b) ? (b) : (a))

void VARIANT(cvk_u8_motion_difference)(uint8_t *dst, const uint8_t *src, const uint8_t *background, int width,
                                       int height, uint8_t *work) {
  /* With one more element on either side. */
  uint8_t *restrict least = work + 1, *restrict most = work + width + 3;
  for (int y = 0; y < height; y++) {
    const uint8_t *restrict b = background + (ptrdiff_t)width * y;
    const uint8_t *restrict a = y > 0 ? b - width : b, *restrict c = y < height - 1 ? b + width : b;
    for (int x = 0; x < width; x++) {
      const uint8_t low = MOTION_LESS(a[x], c[x]), high = MOTION_MORE(a[x], c[x]);
      least[x] = MOTION_LESS(low, b[x]), most[x] = MOTION_MORE(high, b[x]);
    }
    least[-1] = least[0], least[width] = least[width - 1], most[-1] = most[0], most[width] = most[width - 1];
    const uint8_t *restrict from = src + (ptrdiff_t)width * y;
    uint8_t *restrict to = dst + (ptrdiff_t)width * y;
    for (int x = 0; x < width; x++) {
      const uint8_t near_low = MOTION_LESS(least[x - 1], least[x + 1]), low = MOTION_LESS(near_low, least[x]);
      const uint8_t near_high = MOTION_MORE(most[x - 1], most[x + 1]), high = MOTION_MORE(near_high, most[x]);
      const uint8_t value = from[x];
      to[x] = value > high ? (uint8_t)(value - high) : value < low ? (uint8_t)(low - value) : 0;
    }
  }
}
