/* Steps of recurrent layers: the reference of the other variants. */
#include "activation.h"

void cvk_f32_recurrent_products__scalar(float *sums, ptrdiff_t sums_stride, const float *panels, int panel_count,
                                        const float *states, ptrdiff_t states_stride, int batch, int inner) {
  for (int p = 0; p < panel_count; p++) {
    for (int b = 0; b < batch; b++) {
      float *sum = (float *)((char *)sums + b * sums_stride) + p * CVK_RECURRENT_ROWS;
      const float *state = (const float *)((const char *)states + b * states_stride);
      for (int k = 0; k < inner; k++) {
        const float *weights = panels + ((ptrdiff_t)p * inner + k) * CVK_RECURRENT_ROWS;
        for (int row = 0; row < CVK_RECURRENT_ROWS; row++) sum[row] += weights[row] * state[k];
      }
    }
  }
}

void cvk_f32_lstm_cell__scalar(float *state, float *cell, const float *gates, int size) {
  for (int x = 0; x < size; x++) {
    const float kept = sigmoid_of(gates[2 * size + x]) * cell[x];
    cell[x] = kept + sigmoid_of(gates[x]) * tanhf(gates[3 * size + x]);
    state[x] = sigmoid_of(gates[size + x]) * tanhf(cell[x]);
  }
}

void cvk_f32_gru_cell__scalar(float *state, const float *inputs, const float *products, int size) {
  for (int x = 0; x < size; x++) {
    const float kept = sigmoid_of(inputs[x] + products[x]), reset = sigmoid_of(inputs[size + x] + products[size + x]);
    const float candidate = tanhf(inputs[2 * size + x] + reset * products[2 * size + x]);
    state[x] = candidate - kept * candidate + kept * state[x];
  }
}
