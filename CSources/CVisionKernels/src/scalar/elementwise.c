/* Element-wise functions of rows: the reference of the other variants. */
#include "activation.h"

static inline float *row_at(float *data, ptrdiff_t stride, int y) { return (float *)((char *)data + y * stride); }
static inline const float *source_at(const float *data, ptrdiff_t stride, int y) {
  return (const float *)((const char *)data + y * stride);
}

static float unary(float x, enum cvk_unary function) {
  switch (function) {
  case CVK_UNARY_ABSOLUTE: return fabsf(x);
  case CVK_UNARY_NEGATIVE: return -x;
  case CVK_UNARY_EXP: return expf(x);
  case CVK_UNARY_LOG: return logf(x);
  case CVK_UNARY_SQUARE_ROOT: return sqrtf(x);
  case CVK_UNARY_RECIPROCAL_ROOT: return 1 / sqrtf(x);
  case CVK_UNARY_RECIPROCAL: return 1 / x;
  case CVK_UNARY_FLOOR: return floorf(x);
  case CVK_UNARY_CEILING: return ceilf(x);
  case CVK_UNARY_ROUND: return rintf(x);
  case CVK_UNARY_ERF: return erff(x);
  case CVK_UNARY_SQUARE: return x * x;
  case CVK_UNARY_SIGN: return x > 0 ? 1 : x < 0 ? -1 : x;
  default: return x;
  }
}

void cvk_f32_unary__scalar(float *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride, int rows,
                           int columns, enum cvk_unary function) {
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++)
      row_at(dst, dst_stride, y)[x] = unary(source_at(src, src_stride, y)[x], function);
}

static float binary(float a, float b, enum cvk_binary function) {
  switch (function) {
  case CVK_BINARY_ADD: return a + b;
  case CVK_BINARY_SUBTRACT: return a - b;
  case CVK_BINARY_MULTIPLY: return a * b;
  case CVK_BINARY_DIVIDE: return a / b;
  case CVK_BINARY_MINIMUM: return a != a || a < b ? a : b;
  case CVK_BINARY_MAXIMUM: return a != a || a > b ? a : b;
  default: return a;
  }
}

static inline float element(const cvk_operand *operand, int y, int x) {
  return source_at(operand->data, operand->stride, y)[(ptrdiff_t)x * operand->step];
}

void cvk_f32_binary__scalar(float *dst, ptrdiff_t dst_stride, const cvk_operand *a, const cvk_operand *b, int rows,
                            int columns, enum cvk_binary function, const cvk_activation *activation) {
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++) {
      float value = binary(element(a, y, x), element(b, y, x), function);
      row_at(dst, dst_stride, y)[x] = activation ? activated(value, activation, x) : value;
    }
}

void cvk_f32_affine__scalar(float *dst, ptrdiff_t dst_stride, const float *src, ptrdiff_t src_stride, int rows,
                            int columns, const float *scale, const float *bias, const cvk_activation *activation) {
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++) {
      float value = source_at(src, src_stride, y)[x] * scale[x] + (bias ? bias[x] : 0);
      row_at(dst, dst_stride, y)[x] = activation ? activated(value, activation, x) : value;
    }
}
