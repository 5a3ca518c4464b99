/* Activations in place: the reference of the other variants. */
#include "activation.h"

void cvk_f32_activate__scalar(float *data, ptrdiff_t stride, int rows, int columns, const cvk_activation *activation) {
  if (activation->kind == CVK_ACTIVATION_NONE) return;
  for (int y = 0; y < rows; y++) {
    float *row = (float *)((char *)data + y * stride);
    for (int x = 0; x < columns; x++) row[x] = activated(row[x], activation, x);
  }
}
