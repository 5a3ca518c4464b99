#include "reed_solomon.h"

#include <algorithm>

namespace barcode {

ReedSolomon::ReedSolomon(int bits, int polynomial)
    : order_((size_t{1} << bits) - 1), powers_(order_), logarithms_(order_ + 1) {
  int power = 1;
  for (size_t exponent = 0; exponent < order_; ++exponent) {
    powers_[exponent] = power;
    logarithms_[power] = static_cast<int>(exponent);
    power <<= 1;
    if (power >> bits) power ^= polynomial;
  }
}

int ReedSolomon::product(int a, int b) const {
  if (a == 0 || b == 0) return 0;
  return powers_[static_cast<size_t>(logarithms_[a] + logarithms_[b]) % order_];
}

int ReedSolomon::quotient(int a, int b) const {
  if (a == 0) return 0;
  return powers_[(static_cast<size_t>(logarithms_[a]) + order_ - logarithms_[b]) % order_];
}

int ReedSolomon::value(const std::vector<int> &polynomial, size_t exponent) const {
  const int x = powers_[exponent % order_];
  int sum = 0;
  for (auto factor = polynomial.rbegin(); factor != polynomial.rend(); ++factor) sum = product(sum, x) ^ *factor;
  return sum;
}

/* The polynomial whose roots are the inverse positions of the errors: Berlekamp and Massey. */
std::vector<int> ReedSolomon::locator(const std::vector<int> &syndromes) const {
  std::vector<int> current{1}, previous{1};
  size_t degree = 0, shift = 1;
  int last = 1;
  for (size_t n = 0; n < syndromes.size(); ++n, ++shift) {
    int difference = syndromes[n];
    for (size_t i = 1; i <= degree && i < current.size(); ++i) difference ^= product(current[i], syndromes[n - i]);
    if (difference == 0) continue;
    const std::vector<int> before = current;
    const int factor = quotient(difference, last);
    if (current.size() < previous.size() + shift) current.resize(previous.size() + shift);
    for (size_t i = 0; i < previous.size(); ++i) current[i + shift] ^= product(factor, previous[i]);
    if (2 * degree > n) continue;
    degree = n + 1 - degree;
    previous = before;
    last = difference;
    shift = 0;
  }
  while (current.size() > 1 && current.back() == 0) current.pop_back();
  /* Anything else has more errors than can be located. */
  return current.size() == degree + 1 ? current : std::vector<int>{};
}

bool ReedSolomon::correct(std::vector<int> &words, size_t checks) const {
  if (words.size() > order_ || checks > words.size()) return false;
  const std::vector<int> reversed(words.rbegin(), words.rend());
  std::vector<int> syndromes(checks);
  for (size_t i = 0; i < checks; ++i) syndromes[i] = value(reversed, i + 1);
  if (std::all_of(syndromes.begin(), syndromes.end(), [](int syndrome) { return syndrome == 0; })) return true;
  const std::vector<int> errors = locator(syndromes);
  if (errors.size() < 2 || 2 * (errors.size() - 1) > checks) return false;
  /* Forney's formula needs the product of locator and syndromes, and the locator's derivative. */
  std::vector<int> evaluator(errors.size() - 1), derivative(errors.size() - 1);
  for (size_t i = 0; i < evaluator.size(); ++i)
    for (size_t k = 0; k <= i; ++k) evaluator[i] ^= product(errors[k], syndromes[i - k]);
  for (size_t i = 1; i < errors.size(); i += 2) derivative[i - 1] = errors[i];
  std::vector<int> corrected = words;
  size_t found = 0;
  for (size_t position = 0; position < words.size(); ++position) {
    const size_t inverse = order_ - position;
    if (value(errors, inverse) != 0) continue;
    const int slope = value(derivative, inverse);
    if (slope == 0) return false;
    corrected[words.size() - 1 - position] ^= quotient(value(evaluator, inverse), slope);
    ++found;
  }
  if (found != errors.size() - 1) return false;
  words = std::move(corrected);
  return true;
}

}  // namespace barcode
