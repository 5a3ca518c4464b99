/* Estimates from codes of four bits. A shuffle looks up an entry for every byte; sums of 16 bits are kept for pairs of
 * vectors: `pairs` adds the bytes of both (the odd one in the upper half), `odd` those of the odd one alone. */

enum { BLOCK = 32 };

/* From the sums to the estimates of a block. */
static inline __attribute__((always_inline)) void store_estimates(float *dst, __m256i pairs, __m256i odd,
                                                                  const float *offsets, const float *factors,
                                                                  float scale, float bias) {
  const __m256i even = _mm256_sub_epi16(pairs, _mm256_slli_epi16(odd, 8));
  const __m256i low = _mm256_unpacklo_epi16(even, odd), high = _mm256_unpackhi_epi16(even, odd);
  const __m128i sums[4] = {_mm256_castsi256_si128(low), _mm256_castsi256_si128(high),
                           _mm256_extracti128_si256(low, 1), _mm256_extracti128_si256(high, 1)};
  _Pragma("clang loop unroll(full)") for (int part = 0; part < 4; part++) {
    const __m256 sum = _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(sums[part]));
    const __m256 product = _mm256_add_ps(_mm256_mul_ps(_mm256_set1_ps(scale), sum), _mm256_set1_ps(bias));
    const __m256 scaled = _mm256_mul_ps(_mm256_loadu_ps(factors + 8 * part), product);
    _mm256_storeu_ps(dst + 8 * part, _mm256_add_ps(_mm256_loadu_ps(offsets + 8 * part), scaled));
  }
}

void VARIANT(cvk_u4_table_estimates)(float *dst, const uint8_t *codes, int blocks, int tables, const uint8_t *entries,
                                     const float *offsets, const float *factors, float scale, float bias) {
  for (int b = 0; b < blocks; b++) {
#if CVK_VECTOR_BITS == 512
    const __m512i nibble = _mm512_set1_epi8(15);
    __m512i pairs = _mm512_setzero_si512(), odd = pairs, pairs2 = pairs, odd2 = pairs;
    for (int t = 0; t < tables; t += 4, codes += 2 * BLOCK) {
      /* Two rows at a time; each half of the register looks up in the tables of its row. */
      const __m512i four = _mm512_loadu_si512(entries + 16 * t), bytes = _mm512_loadu_si512(codes);
      const __m512i a = _mm512_shuffle_epi8(_mm512_shuffle_i64x2(four, four, 0xa0), _mm512_and_si512(bytes, nibble));
      const __m512i c = _mm512_shuffle_epi8(_mm512_shuffle_i64x2(four, four, 0xf5),
                                            _mm512_and_si512(_mm512_srli_epi16(bytes, 4), nibble));
      pairs = _mm512_add_epi16(pairs, a), odd = _mm512_add_epi16(odd, _mm512_srli_epi16(a, 8));
      pairs2 = _mm512_add_epi16(pairs2, c), odd2 = _mm512_add_epi16(odd2, _mm512_srli_epi16(c, 8));
    }
    pairs = _mm512_add_epi16(pairs, pairs2), odd = _mm512_add_epi16(odd, odd2);
    const __m256i all = _mm256_add_epi16(_mm512_castsi512_si256(pairs), _mm512_extracti64x4_epi64(pairs, 1));
    const __m256i upper = _mm256_add_epi16(_mm512_castsi512_si256(odd), _mm512_extracti64x4_epi64(odd, 1));
#else
    const __m256i nibble = _mm256_set1_epi8(15);
    __m256i all = _mm256_setzero_si256(), upper = all;
    for (int t = 0; t < tables; t += 2, codes += BLOCK) {
      const __m256i first = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(entries + 16 * t)));
      const __m256i second = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(entries + 16 * t + 16)));
      const __m256i bytes = _mm256_loadu_si256((const __m256i *)codes);
      const __m256i a = _mm256_shuffle_epi8(first, _mm256_and_si256(bytes, nibble));
      const __m256i c = _mm256_shuffle_epi8(second, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble));
      all = _mm256_add_epi16(all, _mm256_add_epi16(a, c));
      upper = _mm256_add_epi16(upper, _mm256_add_epi16(_mm256_srli_epi16(a, 8), _mm256_srli_epi16(c, 8)));
    }
#endif
    const ptrdiff_t i = (ptrdiff_t)b * BLOCK;
    store_estimates(dst + i, all, upper, offsets + i, factors + i, scale, bias);
  }
}
