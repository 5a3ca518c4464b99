/* Rows in which codes are looked for, written once: a plain loop over pixels, which compilers turn into vectors. A file
 * of an instruction set defines VARIANT(name), which makes the name of its variant, and includes this. */

void VARIANT(cvk_u8_sharp_threshold)(uint8_t *restrict dst, const uint8_t *restrict src, int width, int level) {
  /* With signs, as the comparison of vectors of 16 bits has them everywhere. */
  const int16_t limit = (int16_t)(2 * level);
  for (int x = 1; x < width - 1; x++) {
    const int16_t sharp = (int16_t)(4 * src[x]);
    const int16_t beside = (int16_t)(limit + src[x - 1] + src[x + 1]);
    dst[x] = sharp < beside ? 0 : 255;
  }
  dst[0] = src[0] < level ? 0 : 255;
  dst[width - 1] = src[width - 1] < level ? 0 : 255;
}
