/* Steps of recurrent layers, over the vectors of network_lanes.h. */
#include "network_math.h"

/* Vectors of a panel's sums. With wide vectors there are few, and every second product has sums of its own, so that
 * an addition need not wait for the one before. */
enum { SUMS = CVK_RECURRENT_ROWS / LANES, CHAINS = LANES >= 16 ? 2 : 1 };

inline_always void add_panel(float *sums, const float *panel, const float *state, int inner) {
  vf total[CHAINS][SUMS];
  UNROLL for (int i = 0; i < SUMS; i++) {
    total[0][i] = load(sums + i * LANES);
    for (int c = 1; c < CHAINS; c++) total[c][i] = SPLAT(0.0f);
  }
  int k = 0;
  for (; k + CHAINS <= inner; k += CHAINS) {
    UNROLL for (int c = 0; c < CHAINS; c++) {
      const vf value = SPLAT(state[k + c]);
      UNROLL for (int i = 0; i < SUMS; i++)
        total[c][i] = FMA(load(panel + (k + c) * CVK_RECURRENT_ROWS + i * LANES), value, total[c][i]);
    }
  }
  if (CHAINS > 1 && k < inner) {
    const vf value = SPLAT(state[k]);
    UNROLL for (int i = 0; i < SUMS; i++)
      total[0][i] = FMA(load(panel + k * CVK_RECURRENT_ROWS + i * LANES), value, total[0][i]);
  }
  UNROLL for (int i = 0; i < SUMS; i++) {
    vf sum = total[0][i];
    for (int c = 1; c < CHAINS; c++) sum += total[c][i];
    store(sums + i * LANES, sum);
  }
}

void VARIANT(cvk_f32_recurrent_products)(float *sums, ptrdiff_t sums_stride, const float *panels, int panel_count,
                                         const float *states, ptrdiff_t states_stride, int batch, int inner) {
  for (int p = 0; p < panel_count; p++) {
    /* The panel stays in the cache for the whole batch. */
    const float *panel = panels + (ptrdiff_t)p * CVK_RECURRENT_ROWS * inner;
    for (int b = 0; b < batch; b++)
      add_panel((float *)((char *)sums + b * sums_stride) + p * CVK_RECURRENT_ROWS, panel,
                (const float *)((const char *)states + b * states_stride), inner);
  }
}

void VARIANT(cvk_f32_lstm_cell)(float *state, float *cell, const float *gates, int size) {
  const float *output = gates + size, *forget = gates + 2 * size, *candidate = gates + 3 * size;
  int x = 0;
  for (; x + LANES <= size; x += LANES) {
    vf next = sigmoid(load(forget + x)) * load(cell + x) + sigmoid(load(gates + x)) * tanh_full(load(candidate + x));
    store(cell + x, next);
    store(state + x, sigmoid(load(output + x)) * tanh_full(next));
  }
  if (x < size) {
    int n = size - x;
    vf next = sigmoid(load_lanes(forget + x, n)) * load_lanes(cell + x, n) +
              sigmoid(load_lanes(gates + x, n)) * tanh_full(load_lanes(candidate + x, n));
    store_lanes(cell + x, next, n);
    store_lanes(state + x, sigmoid(load_lanes(output + x, n)) * tanh_full(next), n);
  }
}

inline_always vf gru_next(vf state, vf update, vf reset, vf input, vf product) {
  vf kept = sigmoid(update), candidate = tanh_full(FMA(sigmoid(reset), product, input));
  return FMA(kept, state, FNMA(kept, candidate, candidate));
}

void VARIANT(cvk_f32_gru_cell)(float *state, const float *inputs, const float *products, int size) {
  int x = 0;
  for (; x + LANES <= size; x += LANES)
    store(state + x, gru_next(load(state + x), load(inputs + x) + load(products + x),
                              load(inputs + size + x) + load(products + size + x), load(inputs + 2 * size + x),
                              load(products + 2 * size + x)));
  if (x < size) {
    int n = size - x;
    vf update = load_lanes(inputs + x, n) + load_lanes(products + x, n);
    vf reset = load_lanes(inputs + size + x, n) + load_lanes(products + size + x, n);
    store_lanes(state + x,
                gru_next(load_lanes(state + x, n), update, reset, load_lanes(inputs + 2 * size + x, n),
                         load_lanes(products + 2 * size + x, n)),
                n);
  }
}
