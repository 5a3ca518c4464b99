/* Correction of errors by Reed-Solomon codes over GF(2^m) whose generators have the roots α, α², α³, …. */
#ifndef CVISIONBARCODE_REED_SOLOMON_H
#define CVISIONBARCODE_REED_SOLOMON_H

#include <cstddef>
#include <vector>

namespace barcode {

class ReedSolomon {
 public:
  /* `polynomial` is primitive, of the degree `bits`; α is x. */
  ReedSolomon(int bits, int polynomial);

  /* Corrects words, of which the last `checks` are check words. False where more are wrong than half of those, and the
   * words are left as they are. The words are less than 2^bits, and there are fewer of them. */
  bool correct(std::vector<int> &words, size_t checks) const;

 private:
  int product(int a, int b) const;
  int quotient(int a, int b) const;
  /* The value of a polynomial, its factors from the lowest power on, at α to the power `exponent`. */
  int value(const std::vector<int> &polynomial, size_t exponent) const;
  std::vector<int> locator(const std::vector<int> &syndromes) const;

  size_t order_;
  std::vector<int> powers_, logarithms_;
};

}  // namespace barcode

#endif
