/* Elementary functions over the vectors of network_lanes.h, and the activations made of them. Polynomials are fitted
 * for the least greatest relative error; the error of each function, found by trying all floats of its range, is given
 * in units of the last place (ulp). NaNs stay NaNs. */

/* Functions whose names end in each work on n vectors, a constant up to AT_ONCE, step by step: one vector after the
 * other, their long chains of dependent steps would fill what a processor holds ready, and few would run at the same
 * time. More vectors would not find registers. */
enum { AT_ONCE = 4 };
#define EACH UNROLL for (int i = 0; i < n; i++)

/* Vector j of what has `count` channels; zeros beyond them. */
inline_always vf load_first(const float *p, int j, int count) {
  const int lanes = count - j * LANES;
  if (lanes >= LANES) return load(p + j * LANES);
  return lanes > 0 ? load_lanes(p + j * LANES, lanes) : SPLAT(0);
}

/* n log 2 + r = x, |r| <= log 2 / 2, and exp(r) = 1 + r + r^2 q(r). Adding 1.5 * 2^23 rounds to integers and leaves n
 * in the low bits of the sum. */
inline_always void exp_parts_each(vf *x, vu *bits, const int n) {
  const vf magic = SPLAT(12582912.0f);
  vf shifted[AT_ONCE], count[AT_ONCE], r[AT_ONCE], q[AT_ONCE];
  EACH shifted[i] = FMA(x[i], SPLAT(1.44269504f), magic);
  EACH count[i] = shifted[i] - magic;
  EACH r[i] = FNMA(count[i], SPLAT(0.693147182464599609375f), x[i]);
  EACH r[i] = FNMA(count[i], SPLAT(-1.90465421e-9f), r[i]);
  EACH q[i] = FMA(SPLAT(1.381869777e-3f), r[i], SPLAT(8.368715644e-3f));
  EACH q[i] = FMA(q[i], r[i], SPLAT(4.166829214e-2f));
  EACH q[i] = FMA(q[i], r[i], SPLAT(1.666652113e-1f));
  EACH q[i] = FMA(q[i], r[i], SPLAT(4.999999404e-1f));
  EACH q[i] = FMA(q[i], r[i], SPLAT(1.0f));
  EACH x[i] = FMA(r[i], q[i], SPLAT(1.0f));
  EACH bits[i] = (vu)shifted[i];
}

inline_always vf exp_parts(vf x, vu *bits) {
  exp_parts_each(&x, bits, 1);
  return x;
}

/* exp whose results leave no gaps in formulas but are normal numbers: zero below 2^-126.5, infinity above 2^127.5. */
inline_always void exp_normal_each(vf *x, const int n) {
  vu bits[AT_ONCE];
  EACH x[i] = at_most(at_least(x[i], SPLAT(-88.3f)), SPLAT(89.0f));
  exp_parts_each(x, bits, n);
  EACH x[i] = x[i] * (vf)((bits[i] << 23) + 0x3f800000u);
}

inline_always vf exp_normal(vf x) {
  exp_normal_each(&x, 1);
  return x;
}

/* exp, 1 ulp (denormal results: 1 of theirs). The power of two in two factors: it may be no normal number itself. */
inline_always vf exp_full(vf x) {
  vu bits;
  vf p = exp_parts(at_most(at_least(x, SPLAT(-104.0f)), SPLAT(89.0f)), &bits);
  /* The low bits hold n + 2^22, so that halves need no sign; what is above the exponent leaves by the shift. */
  vu n = bits & 0x7fffffu, half = n >> 1;
  return p * (vf)((half << 23) + 0x3f800000u) * (vf)(((n - half) << 23) + 0x3f800000u);
}

/* log of a positive normal number below infinity, 1 ulp. */
inline_always vf log_normal(vf x, vf more_exponent) {
  vu bits = (vu)x - 0x3f3504f3u; /* of sqrt(1/2), so that the mantissa lies in [sqrt(1/2), sqrt(2)) */
  vu exponent = ((bits >> 23) ^ 0x100u) - 0x100u; /* sign extension */
  vf m = (vf)((vu)x - (exponent << 23)), f = m - SPLAT(1), e = floats_of(exponent) + more_exponent;
  vf q = FMA(SPLAT(6.749267876e-2f), f, SPLAT(-1.167009771e-1f));
  q = FMA(q, f, SPLAT(1.188354865e-1f));
  q = FMA(q, f, SPLAT(-1.240623370e-1f));
  q = FMA(q, f, SPLAT(1.422035843e-1f));
  q = FMA(q, f, SPLAT(-1.666798890e-1f));
  q = FMA(q, f, SPLAT(2.000207156e-1f));
  q = FMA(q, f, SPLAT(-2.500000894e-1f));
  q = FMA(q, f, SPLAT(3.333331347e-1f));
  vf square = f * f;
  vf small = FMA(q, f * square, FMA(SPLAT(-1.90465421e-9f), e, SPLAT(-0.5f) * square));
  return FMA(e, SPLAT(0.693147182464599609375f), f + small);
}

inline_always vf log_full(vf x) {
  vf tiny = SPLAT(1.17549435e-38f);
  vf more = choose_less(x, tiny, SPLAT(-23.0f), SPLAT(0.0f));
  vf r = log_normal(choose_less(x, tiny, x * SPLAT(8388608.0f), x), more);
  r = choose_less(x, SPLAT(0.0f), SPLAT(__builtin_nanf("")), r);
  r = choose_less(absolute(x), SPLAT(1e-45f), SPLAT(-__builtin_inff()), r);
  return choose_less(x, SPLAT(__builtin_inff()), r, x);
}

/* log(1 + x) for x from 0 to 1: what the sum loses is added back. */
inline_always vf log_of_one_and(vf x) {
  vf w = x + SPLAT(1.0f);
  return log_normal(w, SPLAT(0.0f)) + (x - (w - SPLAT(1.0f)));
}

/* 2.4 ulp. */
inline_always void sigmoid_each(vf *x, const int n) {
  EACH x[i] = SPLAT(0.0f) - x[i];
  exp_normal_each(x, n);
  EACH x[i] = SPLAT(1.0f) / (SPLAT(1.0f) + x[i]);
}

inline_always vf sigmoid(vf x) {
  sigmoid_each(&x, 1);
  return x;
}

inline_always void silu_each(vf *x, const int n, vf a) {
  vf y[AT_ONCE];
  EACH y[i] = FNMA(a, x[i], SPLAT(0.0f));
  exp_normal_each(y, n);
  EACH x[i] = x[i] / (SPLAT(1.0f) + y[i]);
}

/* tanh, 1.4 ulp: near zero an odd polynomial. */
inline_always vf tanh_full(vf x) {
  vf t = absolute(x), s = x * x;
  vf q = FMA(SPLAT(-5.692296661e-3f), s, SPLAT(2.062816732e-2f));
  q = FMA(q, s, SPLAT(-5.373651534e-2f));
  q = FMA(q, s, SPLAT(1.333140582e-1f));
  q = FMA(q, s, SPLAT(-3.333328068e-1f));
  vf near = FMA(q * s, x, x);
  vf far = SPLAT(1.0f) - SPLAT(2.0f) / (exp_normal(t + t) + SPLAT(1.0f));
  return choose_less(t, SPLAT(0.625f), near, with_sign(far, x));
}

/* erf, 1.1 ulp: near zero an odd polynomial, else 1 - erfc, the logarithm of erfc being a polynomial. */
inline_always void erf_full_each(vf *x, const int n) {
  vf t[AT_ONCE], s[AT_ONCE], q[AT_ONCE], p[AT_ONCE];
  EACH t[i] = at_most(absolute(x[i]), SPLAT(4.0f));
  EACH p[i] = FMA(SPLAT(-1.042969507e-5f), t[i], SPLAT(3.148308315e-4f));
  EACH p[i] = FMA(p[i], t[i], SPLAT(-3.610258689e-3f));
  EACH p[i] = FMA(p[i], t[i], SPLAT(2.369444445e-2f));
  EACH p[i] = FMA(p[i], t[i], SPLAT(-1.061589643e-1f));
  EACH p[i] = FMA(p[i], t[i], SPLAT(-6.351980567e-1f));
  EACH p[i] = FMA(p[i], t[i], SPLAT(-1.128637075f));
  EACH p[i] = p[i] * t[i];
  exp_normal_each(p, n);
  EACH s[i] = t[i] * t[i];
  EACH q[i] = FMA(SPLAT(-6.047814386e-4f), s[i], SPLAT(5.003959406e-3f));
  EACH q[i] = FMA(q[i], s[i], SPLAT(-2.677365765e-2f));
  EACH q[i] = FMA(q[i], s[i], SPLAT(1.128199995e-1f));
  EACH q[i] = FMA(q[i], s[i], SPLAT(-3.761250973e-1f));
  EACH q[i] = FMA(q[i], s[i], SPLAT(1.283791512e-1f));
  EACH q[i] = FMA(q[i], x[i], x[i]);
  EACH x[i] = choose_less(t[i], SPLAT(0.9f), q[i], with_sign(SPLAT(1.0f) - p[i], x[i]));
}

inline_always vf erf_full(vf x) {
  erf_full_each(&x, 1);
  return x;
}

inline_always void gelu_each(vf *x, const int n) {
  vf y[AT_ONCE];
  EACH y[i] = x[i] * SPLAT(0.70710678f);
  erf_full_each(y, n);
  EACH x[i] = SPLAT(0.5f) * x[i] * (SPLAT(1.0f) + y[i]);
}

/* 2.4 ulp. */
inline_always vf softplus(vf x) {
  return at_least(x, SPLAT(0.0f)) + log_of_one_and(exp_normal(SPLAT(0.0f) - absolute(x)));
}

/* tanh(log(1 + e)) = e (e + 2) / (e (e + 2) + 2), which is 1 long before e leaves the range of floats. */
inline_always vf mish(vf x) {
  vf e = exp_normal(at_most(x, SPLAT(40.0f))), n = e * (e + SPLAT(2.0f));
  return x * (n / (n + SPLAT(2.0f)));
}

/* `kind` is a constant where this is inlined; `slopes` matter to CVK_ACTIVATION_PRELU only. */
inline_always vf activated(vf x, enum cvk_activation_kind kind, vf a, vf b, vf slopes) {
  const vf zero = SPLAT(0.0f), one = SPLAT(1.0f), half = SPLAT(0.5f);
  switch (kind) {
  case CVK_ACTIVATION_CLAMP: return at_most(at_least(x, a), b);
  case CVK_ACTIVATION_LEAKY: return choose_less(x, zero, a * x, x);
  case CVK_ACTIVATION_PRELU: return choose_less(x, zero, slopes * x, x);
  case CVK_ACTIVATION_SIGMOID: return sigmoid(x);
  case CVK_ACTIVATION_HARD_SIGMOID: return at_most(at_least(FMA(a, x, b), zero), one);
  case CVK_ACTIVATION_SILU: silu_each(&x, 1, a); return x;
  case CVK_ACTIVATION_HARD_SWISH: return x * at_most(at_least(FMA(a, x, b), zero), one);
  case CVK_ACTIVATION_TANH: return tanh_full(x);
  case CVK_ACTIVATION_GELU: gelu_each(&x, 1); return x;
  case CVK_ACTIVATION_GELU_TANH: {
    vf cube = x * x * x;
    return half * x * (one + tanh_full(SPLAT(0.79788456f) * FMA(SPLAT(0.044715f), cube, x)));
  }
  case CVK_ACTIVATION_ELU: return choose_less(x, zero, a * (exp_normal(x) - one), x);
  case CVK_ACTIVATION_SOFTPLUS: return softplus(x);
  case CVK_ACTIVATION_MISH: return mish(x);
  default: return x;
  }
}

/* The same of n vectors; for kinds without slopes. */
inline_always void activate_each(vf *x, const int n, enum cvk_activation_kind kind, vf a, vf b) {
  switch (kind) {
  case CVK_ACTIVATION_SIGMOID: sigmoid_each(x, n); break;
  case CVK_ACTIVATION_SILU: silu_each(x, n, a); break;
  case CVK_ACTIVATION_GELU: gelu_each(x, n); break;
  default: EACH x[i] = activated(x[i], kind, a, b, a);
  }
}
