/* Element-wise functions of rows, over the vectors of network_lanes.h. */
#include "network_math.h"

/* Rows are processed in chunks that stay in the L1 cache, for an activation that follows. */
enum { CHUNK = 2048 };

#define ROW(y) ((float *)((char *)dst + (y) * dst_stride))
#define SOURCE(data, stride, y) ((const float *)((const char *)(data) + (y) * (stride)))

inline_always vf unary(vf x, enum cvk_unary function) {
  const vf zero = SPLAT(0.0f), one = SPLAT(1.0f);
  switch (function) {
  case CVK_UNARY_ABSOLUTE: return absolute(x);
  case CVK_UNARY_NEGATIVE: return -x;
  case CVK_UNARY_EXP: return exp_full(x);
  case CVK_UNARY_LOG: return log_full(x);
  case CVK_UNARY_SQUARE_ROOT: return square_root(x);
  case CVK_UNARY_RECIPROCAL_ROOT: return one / square_root(x);
  case CVK_UNARY_RECIPROCAL: return one / x;
  case CVK_UNARY_FLOOR: return round_down(x);
  case CVK_UNARY_CEILING: return round_up(x);
  case CVK_UNARY_ROUND: return round_even(x);
  case CVK_UNARY_ERF: return erf_full(x);
  case CVK_UNARY_SQUARE: return x * x;
  case CVK_UNARY_SIGN: return choose_less(x, zero, -one, choose_less(zero, x, one, x));
  default: return x;
  }
}

inline_always void unary_rows(float *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride, int rows,
                              ptrdiff_t columns, enum cvk_unary function) {
  for (int y = 0; y < rows; y++) {
    const float *in = SOURCE(src, src_stride, y);
    float *out = ROW(y);
    ptrdiff_t x = 0;
    for (; x + LANES <= columns; x += LANES) store(out + x, unary(load(in + x), function));
    int n = (int)(columns - x);
    if (n > 0) store_lanes(out + x, unary(load_lanes(in + x, n), function), n);
  }
}

void VARIANT(cvk_f32_unary)(float *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride, int rows,
                            int columns, enum cvk_unary function) {
  ptrdiff_t count = columns;
  if (dst_stride == 4 * count && src_stride == 4 * count) count *= rows, rows = 1;
#define CASE(function) \
  case function: unary_rows(dst, dst_stride, src, src_stride, rows, count, function); break
  switch (function) {
    CASE(CVK_UNARY_ABSOLUTE);
    CASE(CVK_UNARY_NEGATIVE);
    CASE(CVK_UNARY_EXP);
    CASE(CVK_UNARY_LOG);
    CASE(CVK_UNARY_SQUARE_ROOT);
    CASE(CVK_UNARY_RECIPROCAL_ROOT);
    CASE(CVK_UNARY_RECIPROCAL);
    CASE(CVK_UNARY_FLOOR);
    CASE(CVK_UNARY_CEILING);
    CASE(CVK_UNARY_ROUND);
    CASE(CVK_UNARY_ERF);
    CASE(CVK_UNARY_SQUARE);
    CASE(CVK_UNARY_SIGN);
  default: break;
  }
#undef CASE
}

inline_always vf binary(vf a, vf b, enum cvk_binary function) {
  switch (function) {
  case CVK_BINARY_ADD: return a + b;
  case CVK_BINARY_SUBTRACT: return a - b;
  case CVK_BINARY_MULTIPLY: return a * b;
  case CVK_BINARY_DIVIDE: return a / b;
  case CVK_BINARY_MINIMUM: return minimum(a, b);
  case CVK_BINARY_MAXIMUM: return maximum(a, b);
  default: return a;
  }
}

/* One chunk; steps are constants where this is inlined. */
inline_always void binary_chunk(float *out, const float *a, const float *b, int step_a, int step_b, ptrdiff_t count,
                                  enum cvk_binary function, vf low, vf high) {
  ptrdiff_t x = 0;
  const vf one_a = SPLAT(step_a ? 0.0f : *a), one_b = SPLAT(step_b ? 0.0f : *b);
  for (; x + LANES <= count; x += LANES) {
    vf v = binary(step_a ? load(a + x) : one_a, step_b ? load(b + x) : one_b, function);
    store(out + x, at_most(at_least(v, low), high));
  }
  int n = (int)(count - x);
  if (n > 0) {
    vf v = binary(step_a ? load_lanes(a + x, n) : one_a, step_b ? load_lanes(b + x, n) : one_b, function);
    store_lanes(out + x, at_most(at_least(v, low), high), n);
  }
}

inline_always void binary_steps(float *out, const float *a, const float *b, int step_a, int step_b, ptrdiff_t count,
                                enum cvk_binary function, vf low, vf high) {
  if (step_a && step_b) binary_chunk(out, a, b, 1, 1, count, function, low, high);
  else if (step_a) binary_chunk(out, a, b, 1, 0, count, function, low, high);
  else if (step_b) binary_chunk(out, a, b, 0, 1, count, function, low, high);
  else binary_chunk(out, a, b, 0, 0, count, function, low, high);
}

/* What an activation does while results are still in registers (a clamp), and what is left to do afterwards. */
typedef struct fused {
  vf low, high;
  const cvk_activation *after;
} fused;

inline_always fused fuse(const cvk_activation *activation) {
  int kind = activation ? activation->kind : CVK_ACTIVATION_NONE, clamp = kind == CVK_ACTIVATION_CLAMP;
  fused f = {SPLAT(clamp ? activation->a : -__builtin_inff()), SPLAT(clamp ? activation->b : __builtin_inff()),
             kind == CVK_ACTIVATION_NONE || clamp ? 0 : activation};
  return f;
}

static void finish(float *out, ptrdiff_t first, ptrdiff_t count, const cvk_activation *after) {
  cvk_activation how = *after;
  if (how.kind == CVK_ACTIVATION_PRELU) how.slopes += first;
  VARIANT(cvk_f32_activate)(out, 0, 1, (int)count, &how);
}

static int by_column(const cvk_activation *activation) {
  return activation && activation->kind == CVK_ACTIVATION_PRELU;
}

/* Whether the operand goes on from row to row without a gap, or has one value only. */
static int goes_on(const cvk_operand *operand, ptrdiff_t columns) {
  return operand->stride == (operand->step ? 4 * columns : 0);
}

void VARIANT(cvk_f32_binary)(float *dst, ptrdiff_t dst_stride, const cvk_operand *a, const cvk_operand *b, int rows,
                             int columns, enum cvk_binary function, const cvk_activation *activation) {
  const fused f = fuse(activation);
  ptrdiff_t count = columns;
  if (dst_stride == 4 * count && goes_on(a, count) && goes_on(b, count) && !by_column(activation))
    count *= rows, rows = 1;
  const ptrdiff_t chunk = f.after ? CHUNK : count;
  for (int y = 0; y < rows; y++)
    for (ptrdiff_t x = 0; x < count; x += chunk) {
      const ptrdiff_t n = count - x < chunk ? count - x : chunk;
      const float *in_a = SOURCE(a->data, a->stride, y) + x * a->step,
                  *in_b = SOURCE(b->data, b->stride, y) + x * b->step;
      float *out = ROW(y) + x;
#define CASE(function) \
  case function: binary_steps(out, in_a, in_b, a->step, b->step, n, function, f.low, f.high); break
      switch (function) {
        CASE(CVK_BINARY_ADD);
        CASE(CVK_BINARY_SUBTRACT);
        CASE(CVK_BINARY_MULTIPLY);
        CASE(CVK_BINARY_DIVIDE);
        CASE(CVK_BINARY_MINIMUM);
        CASE(CVK_BINARY_MAXIMUM);
      default: break;
      }
#undef CASE
      if (f.after) finish(out, x, n, f.after);
    }
}

inline_always void affine_row(float *out, const float *in, ptrdiff_t columns, const float *scale, const float *bias,
                              vf low, vf high) {
  const vf zero = SPLAT(0.0f);
  ptrdiff_t x = 0;
  for (; x + LANES <= columns; x += LANES) {
    vf v = FMA(load(in + x), load(scale + x), bias ? load(bias + x) : zero);
    store(out + x, at_most(at_least(v, low), high));
  }
  int n = (int)(columns - x);
  if (n > 0) {
    vf v = FMA(load_lanes(in + x, n), load_lanes(scale + x, n), bias ? load_lanes(bias + x, n) : zero);
    store_lanes(out + x, at_most(at_least(v, low), high), n);
  }
}

void VARIANT(cvk_f32_affine)(float *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride, int rows,
                             int columns, const float *scale, const float *bias, const cvk_activation *activation) {
  const fused f = fuse(activation);
  for (int y = 0; y < rows; y++) {
    if (bias) affine_row(ROW(y), SOURCE(src, src_stride, y), columns, scale, bias, f.low, f.high);
    else affine_row(ROW(y), SOURCE(src, src_stride, y), columns, scale, 0, f.low, f.high);
    if (f.after) finish(ROW(y), 0, columns, f.after);
  }
}
