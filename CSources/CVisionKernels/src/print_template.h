/* Squared distances over the vectors of lanes.h. Products and sums are rounded one by one, as in the scalar variant. */

enum { PARTS = 32, VECTORS = PARTS / LANES };
#define UNROLLED _Pragma("clang loop unroll(full)") /* or arrays would not become registers */

void VARIANT(cvk_f32_squared_distances)(float *dst, const float *src, ptrdiff_t src_stride, int rows, int columns,
                                        const float *query) {
  for (int y = 0; y < rows; y++) {
    const float *row = (const float *)((const char *)src + y * src_stride);
    vf sums[VECTORS];
    UNROLLED for (int v = 0; v < VECTORS; v++) sums[v] = SPLAT(0.0f);
    int x = 0;
    for (; x + PARTS <= columns; x += PARTS) {
      UNROLLED for (int v = 0; v < VECTORS; v++) {
        vf difference = load(row + x + v * LANES) - load(query + x + v * LANES);
        sums[v] = sums[v] + difference * difference;
      }
    }
    float parts[PARTS];
    UNROLLED for (int v = 0; v < VECTORS; v++) store(parts + v * LANES, sums[v]);
    for (; x < columns; x++) {
      float difference = row[x] - query[x];
      parts[x % PARTS] += difference * difference;
    }
    for (int half = PARTS / 2; half; half /= 2)
      for (int i = 0; i < half; i++) parts[i] += parts[i + half];
    dst[y] = parts[0];
  }
}
