/* Activations of single values by the functions of the C library: what convolutions of all instruction sets use where an
 * activation has no vector form of its own. */
#ifndef CVK_CONVOLUTION_ACTIVATION_H
#define CVK_CONVOLUTION_ACTIVATION_H

#include <math.h>

#include "internal.h"

/* Comparisons are written so that a value that is no number stays one. */
static inline float limited(float x, float low, float high) {
  float y = x < low ? low : x;
  return y > high ? high : y;
}

static inline float activated(float x, const cvk_activation *activation, int channel) {
  float a = activation->a, b = activation->b;
  switch (activation->kind) {
  case CVK_ACTIVATION_NONE: return x;
  case CVK_ACTIVATION_CLAMP: return limited(x, a, b);
  case CVK_ACTIVATION_LEAKY: return x < 0 ? a * x : x;
  case CVK_ACTIVATION_PRELU: return x < 0 ? activation->slopes[channel] * x : x;
  case CVK_ACTIVATION_SIGMOID: return 1 / (1 + expf(-x));
  case CVK_ACTIVATION_HARD_SIGMOID: return limited(a * x + b, 0, 1);
  case CVK_ACTIVATION_SILU: return x / (1 + expf(-a * x));
  case CVK_ACTIVATION_HARD_SWISH: return x * limited(a * x + b, 0, 1);
  case CVK_ACTIVATION_TANH: return tanhf(x);
  case CVK_ACTIVATION_GELU: return 0.5f * x * (1 + erff(x * 0.70710678f));
  case CVK_ACTIVATION_GELU_TANH: return 0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x)));
  case CVK_ACTIVATION_ELU: return x < 0 ? a * expm1f(x) : x;
  case CVK_ACTIVATION_SOFTPLUS: return (x > 0 ? x : 0) + log1pf(expf(-fabsf(x)));
  case CVK_ACTIVATION_MISH: return x * tanhf((x > 0 ? x : 0) + log1pf(expf(-fabsf(x))));
  case CVK_ACTIVATION_KINDS: break;
  }
  return x;
}

#endif
