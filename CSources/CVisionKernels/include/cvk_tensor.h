/* What the kernels of networks share. Tensors of images are N, H, W, C: the channels of a pixel lie together, and a
 * pixel may be farther from the next than its channels are many, so that a kernel can read or write a slice of
 * channels. */
#ifndef CVK_TENSOR_H
#define CVK_TENSOR_H

#include <stdint.h>

/* What is done to a value before it is stored. The letters are the parameters of cvk_activation. */
enum cvk_activation_kind {
  CVK_ACTIVATION_NONE = 0,
  CVK_ACTIVATION_CLAMP,        /* min(max(x, a), b): ReLU is 0 to infinity, ReLU6 is 0 to 6 */
  CVK_ACTIVATION_LEAKY,        /* x < 0 ? a x : x */
  CVK_ACTIVATION_PRELU,        /* the same, with a slope a channel */
  CVK_ACTIVATION_SIGMOID,      /* 1 / (1 + exp(-x)) */
  CVK_ACTIVATION_HARD_SIGMOID, /* min(max(a x + b, 0), 1) */
  CVK_ACTIVATION_SILU,         /* x sigmoid(a x): a is 1 for SiLU */
  CVK_ACTIVATION_HARD_SWISH,   /* x min(max(a x + b, 0), 1): a = 1/6, b = 1/2 */
  CVK_ACTIVATION_TANH,
  CVK_ACTIVATION_GELU,         /* x (1 + erf(x / sqrt 2)) / 2 */
  CVK_ACTIVATION_GELU_TANH,    /* x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2 */
  CVK_ACTIVATION_ELU,          /* x < 0 ? a (exp(x) - 1) : x */
  CVK_ACTIVATION_SOFTPLUS,     /* log(1 + exp(x)) */
  CVK_ACTIVATION_MISH,         /* x tanh(log(1 + exp(x))) */
  CVK_ACTIVATION_KINDS
};

typedef struct cvk_activation {
  enum cvk_activation_kind kind;
  float a, b;
  const float *slopes; /* PRELU: as many as there are channels */
} cvk_activation;

#endif
