/* Activations of rows, over the vectors of network_lanes.h. */
#include "network_math.h"

inline_always void activate_rows(float *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride, int rows,
                                 ptrdiff_t columns, enum cvk_activation_kind kind, const cvk_activation *how) {
  const vf a = SPLAT(how->a), b = SPLAT(how->b);
  for (int y = 0; y < rows; y++) {
    const float *in = (const float *)((const char *)src + y * src_stride);
    float *out = (float *)((char *)dst + y * dst_stride);
    ptrdiff_t x = 0;
    for (; kind != CVK_ACTIVATION_PRELU && x + AT_ONCE * LANES <= columns; x += AT_ONCE * LANES) {
      vf v[AT_ONCE];
      UNROLL for (int i = 0; i < AT_ONCE; i++) v[i] = load(in + x + i * LANES);
      activate_each(v, AT_ONCE, kind, a, b);
      UNROLL for (int i = 0; i < AT_ONCE; i++) store(out + x + i * LANES, v[i]);
    }
    for (; x + LANES <= columns; x += LANES) {
      vf slopes = kind == CVK_ACTIVATION_PRELU ? load(how->slopes + x) : a;
      store(out + x, activated(load(in + x), kind, a, b, slopes));
    }
    if (x < columns) {
      int n = (int)(columns - x);
      vf slopes = kind == CVK_ACTIVATION_PRELU ? load_lanes(how->slopes + x, n) : a;
      store_lanes(out + x, activated(load_lanes(in + x, n), kind, a, b, slopes), n);
    }
  }
}

void VARIANT(cvk_f32_activated)(float *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride, int rows,
                                int columns, const cvk_activation *how) {
  ptrdiff_t count = columns;
  /* Rows that follow each other are one long row, unless columns matter. */
  if (dst_stride == 4 * count && src_stride == 4 * count && how->kind != CVK_ACTIVATION_PRELU) count *= rows, rows = 1;
#define CASE(kind) \
  case kind: activate_rows(dst, dst_stride, src, src_stride, rows, count, kind, how); break
  switch (how->kind) {
    CASE(CVK_ACTIVATION_CLAMP);
    CASE(CVK_ACTIVATION_LEAKY);
    CASE(CVK_ACTIVATION_PRELU);
    CASE(CVK_ACTIVATION_SIGMOID);
    CASE(CVK_ACTIVATION_HARD_SIGMOID);
    CASE(CVK_ACTIVATION_SILU);
    CASE(CVK_ACTIVATION_HARD_SWISH);
    CASE(CVK_ACTIVATION_TANH);
    CASE(CVK_ACTIVATION_GELU);
    CASE(CVK_ACTIVATION_GELU_TANH);
    CASE(CVK_ACTIVATION_ELU);
    CASE(CVK_ACTIVATION_SOFTPLUS);
    CASE(CVK_ACTIVATION_MISH);
  default:
    if (dst != src) activate_rows(dst, dst_stride, src, src_stride, rows, count, CVK_ACTIVATION_NONE, how);
  }
#undef CASE
}

void VARIANT(cvk_f32_activate)(float *data, ptrdiff_t stride, int rows, int columns, const cvk_activation *activation) {
  VARIANT(cvk_f32_activated)(data, stride, data, stride, rows, columns, activation);
}
