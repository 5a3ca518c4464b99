/* Butterflies: the Fourier transforms of 2, 3, 4, 5 and 8 complex vectors in registers, forward (exp(-i...)), in place
 * and in natural order. The including file defines the vector type `vf` and FMA(a, b, c) = a b + c, FNMA(a, b, c) =
 * c - a b, and `inline_always`. */

inline_always void butterfly2(vf *re, vf *im) {
  vf r = re[0] - re[1], i = im[0] - im[1];
  re[0] = re[0] + re[1], im[0] = im[0] + im[1];
  re[1] = r, im[1] = i;
}

inline_always void butterfly3(vf *re, vf *im) {
  const float half = 0.5f, s = 0.86602540378443865f; /* cos 60, sin 60 degrees */
  vf tr = re[1] + re[2], ti = im[1] + im[2], dr = re[1] - re[2], di = im[1] - im[2];
  vf mr = FNMA(SPLAT(half), tr, re[0]), mi = FNMA(SPLAT(half), ti, im[0]);
  re[0] = re[0] + tr, im[0] = im[0] + ti;
  re[1] = FMA(SPLAT(s), di, mr), im[1] = FNMA(SPLAT(s), dr, mi);
  re[2] = FNMA(SPLAT(s), di, mr), im[2] = FMA(SPLAT(s), dr, mi);
}

inline_always void butterfly4(vf *re, vf *im) {
  vf ar = re[0] + re[2], ai = im[0] + im[2], br = re[0] - re[2], bi = im[0] - im[2];
  vf cr = re[1] + re[3], ci = im[1] + im[3], dr = re[1] - re[3], di = im[1] - im[3];
  re[0] = ar + cr, im[0] = ai + ci;
  re[2] = ar - cr, im[2] = ai - ci;
  re[1] = br + di, im[1] = bi - dr;
  re[3] = br - di, im[3] = bi + dr;
}

inline_always void butterfly5(vf *re, vf *im) {
  const float c1 = 0.30901699437494742f, c2 = -0.80901699437494742f; /* cos 72, cos 144 degrees */
  const float s1 = 0.95105651629515357f, s2 = 0.58778525229247313f;
  vf t1r = re[1] + re[4], t1i = im[1] + im[4], d1r = re[1] - re[4], d1i = im[1] - im[4];
  vf t2r = re[2] + re[3], t2i = im[2] + im[3], d2r = re[2] - re[3], d2i = im[2] - im[3];
  vf a1r = FMA(SPLAT(c2), t2r, FMA(SPLAT(c1), t1r, re[0])), a1i = FMA(SPLAT(c2), t2i, FMA(SPLAT(c1), t1i, im[0]));
  vf a2r = FMA(SPLAT(c1), t2r, FMA(SPLAT(c2), t1r, re[0])), a2i = FMA(SPLAT(c1), t2i, FMA(SPLAT(c2), t1i, im[0]));
  vf b1r = FMA(SPLAT(s2), d2r, SPLAT(s1) * d1r), b1i = FMA(SPLAT(s2), d2i, SPLAT(s1) * d1i);
  vf b2r = FNMA(SPLAT(s1), d2r, SPLAT(s2) * d1r), b2i = FNMA(SPLAT(s1), d2i, SPLAT(s2) * d1i);
  re[0] = re[0] + t1r + t2r, im[0] = im[0] + t1i + t2i;
  re[1] = a1r + b1i, im[1] = a1i - b1r;
  re[4] = a1r - b1i, im[4] = a1i + b1r;
  re[2] = a2r + b2i, im[2] = a2i - b2r;
  re[3] = a2r - b2i, im[3] = a2i + b2r;
}

inline_always void butterfly8(vf *re, vf *im) {
  const float c = 0.70710678118654752f; /* cos 45 degrees */
  vf even_re[4] = {re[0], re[2], re[4], re[6]}, even_im[4] = {im[0], im[2], im[4], im[6]};
  vf odd_re[4] = {re[1], re[3], re[5], re[7]}, odd_im[4] = {im[1], im[3], im[5], im[7]};
  butterfly4(even_re, even_im);
  butterfly4(odd_re, odd_im);
  re[0] = even_re[0] + odd_re[0], im[0] = even_im[0] + odd_im[0];
  re[4] = even_re[0] - odd_re[0], im[4] = even_im[0] - odd_im[0];
  vf sr = odd_re[1] + odd_im[1], si = odd_im[1] - odd_re[1];
  re[1] = FMA(SPLAT(c), sr, even_re[1]), im[1] = FMA(SPLAT(c), si, even_im[1]);
  re[5] = FNMA(SPLAT(c), sr, even_re[1]), im[5] = FNMA(SPLAT(c), si, even_im[1]);
  re[2] = even_re[2] + odd_im[2], im[2] = even_im[2] - odd_re[2];
  re[6] = even_re[2] - odd_im[2], im[6] = even_im[2] + odd_re[2];
  vf tr = odd_im[3] - odd_re[3], ti = odd_re[3] + odd_im[3];
  re[3] = FMA(SPLAT(c), tr, even_re[3]), im[3] = FNMA(SPLAT(c), ti, even_im[3]);
  re[7] = FNMA(SPLAT(c), tr, even_re[3]), im[7] = FMA(SPLAT(c), ti, even_im[3]);
}
