/* Activations of one number, for the scalar kernels: the reference of the other variants. */
#ifndef CVK_SCALAR_ACTIVATION_H
#define CVK_SCALAR_ACTIVATION_H

#include <math.h>

#include "../internal.h"

static inline float clamped(float x, float low, float high) { return x < low ? low : x > high ? high : x; }
static inline float sigmoid_of(float x) { return 1 / (1 + expf(-x)); }
static inline float softplus_of(float x) { return (x > 0 || x != x ? x : 0) + log1pf(expf(-fabsf(x))); }

static inline float activated(float x, const cvk_activation *how, int channel) {
  const float a = how->a, b = how->b;
  switch (how->kind) {
  case CVK_ACTIVATION_CLAMP: return clamped(x, a, b);
  case CVK_ACTIVATION_LEAKY: return x < 0 ? a * x : x;
  case CVK_ACTIVATION_PRELU: return x < 0 ? how->slopes[channel] * x : x;
  case CVK_ACTIVATION_SIGMOID: return sigmoid_of(x);
  case CVK_ACTIVATION_HARD_SIGMOID: return clamped(a * x + b, 0, 1);
  case CVK_ACTIVATION_SILU: return x * sigmoid_of(a * x);
  case CVK_ACTIVATION_HARD_SWISH: return x * clamped(a * x + b, 0, 1);
  case CVK_ACTIVATION_TANH: return tanhf(x);
  case CVK_ACTIVATION_GELU: return 0.5f * x * (1 + erff(x * 0.70710678f));
  case CVK_ACTIVATION_GELU_TANH: return 0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x)));
  case CVK_ACTIVATION_ELU: return x < 0 ? a * expm1f(x) : x;
  case CVK_ACTIVATION_SOFTPLUS: return softplus_of(x);
  case CVK_ACTIVATION_MISH: return x * tanhf(softplus_of(x));
  default: return x;
  }
}

#endif
