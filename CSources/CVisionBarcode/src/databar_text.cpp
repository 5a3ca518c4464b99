/* The data of GS1 DataBar Expanded (ISO/IEC 24724, 7.2.5): encodation methods and the general purpose field. */
#include "databar_expanded.h"

#include <algorithm>

namespace barcode {

namespace {

constexpr char separator = 0x1D;

class Bits {
 public:
  explicit Bits(const std::vector<int> &characters) {
    for (int character : characters)
      for (int bit = 11; bit >= 0; --bit) bits_.push_back(character >> bit & 1);
  }

  size_t left() const { return bits_.size() - next_; }

  /* The next bits as a number; beyond the end they are 0. */
  int peek(size_t count) const {
    int value = 0;
    for (size_t i = 0; i < count; ++i) value = 2 * value + (next_ + i < bits_.size() ? bits_[next_ + i] : 0);
    return value;
  }

  void skip(size_t count) {
    if (count > left()) is_short = true;
    next_ = std::min(bits_.size(), next_ + count);
  }

  int read(size_t count) {
    const int value = peek(count);
    skip(count);
    return value;
  }

  /* Whether more was read than there is. */
  bool is_short = false;

 private:
  std::vector<bool> bits_;
  size_t next_ = 0;
};

/* The number with a count of digits; none where it has more. */
bool append_digits(std::string &text, int number, size_t count) {
  const std::string digits = std::to_string(number);
  if (digits.size() > count) return false;
  text.append(count - digits.size(), '0');
  text += digits;
  return true;
}

/* Identifier 01 with the first digit of its number, then twelve digits and the check digit. */
bool append_gtin(std::string &text, int first_digit, Bits &bits) {
  text += "01";
  const size_t start = text.size();
  if (!append_digits(text, first_digit, 1)) return false;
  for (int group = 0; group < 4; ++group)
    if (!append_digits(text, bits.read(10), 3)) return false;
  int sum = 0;
  for (size_t i = start; i < text.size(); ++i) sum += (text[i] - '0') * ((i - start) % 2 == 0 ? 3 : 1);
  text += static_cast<char>('0' + (10 - sum % 10) % 10);
  return true;
}

/* The general purpose data compaction field: numeric, alphanumeric and ISO/IEC 646 encodation. */
bool append_general(std::string &text, Bits &bits) {
  enum { numeric, alphanumeric, iso646 } mode = numeric;
  const size_t start = text.size();
  while (bits.left() > 0) {
    if (mode == numeric) {
      if (bits.left() < 4) break;
      if (bits.left() < 7) {
        const int digit = bits.read(4);
        if (digit > 10) return false;
        if (digit > 0) text += static_cast<char>('0' + digit - 1);
        break;
      }
      if (bits.peek(4) == 0) {
        bits.skip(4);
        mode = alphanumeric;
        continue;
      }
      const int pair = bits.read(7) - 8;
      for (int digit : {pair / 11, pair % 11}) text += digit == 10 ? separator : static_cast<char>('0' + digit);
      continue;
    }
    if (bits.left() < 5) break; /* padding */
    if (bits.peek(3) == 0) {
      bits.skip(3);
      mode = numeric;
      continue;
    }
    const int five = bits.peek(5);
    if (five == 0b00100) {
      bits.skip(5);
      mode = mode == alphanumeric ? iso646 : alphanumeric;
    } else if (five == 0b01111) {
      bits.skip(5);
      text += separator;
      mode = numeric;
      /* Some programs write the change to numeric as well. */
      if (bits.left() >= 7 && bits.peek(7) < 8) bits.skip(3);
    } else if (five >= 5 && five < 15) {
      text += static_cast<char>('0' + bits.read(5) - 5);
    } else if (mode == alphanumeric) {
      const int character = bits.read(6);
      if (character < 32 || character > 62) return false;
      text += character < 58 ? static_cast<char>('A' + character - 32) : "*,-./"[character - 58];
    } else if (five < 29) {
      const int character = bits.read(7);
      if (character < 64 || character > 115) return false;
      text += static_cast<char>(character < 90 ? 'A' + character - 64 : 'a' + character - 90);
    } else {
      const int character = bits.read(8);
      if (character < 232 || character > 252) return false;
      text += "!\"%&'()*+,-./:;<=>?_ "[character - 232];
    }
    if (bits.is_short) return false;
  }
  if (text.size() > start && text.back() == separator) text.pop_back();
  return true;
}

/* A weight, and a date where there is one. */
bool append_weight_and_date(std::string &text, const char *weight, const char *date, Bits &bits) {
  text += weight;
  const int value = bits.read(20);
  if (!append_digits(text, value / 100000, 1) || !append_digits(text, value % 100000, 6)) return false;
  int days = bits.read(16);
  constexpr int none = 38400;
  if (days == none) return true;
  if (days > none) return false;
  text += date;
  const int day = days % 32, month = days / 32 % 12 + 1, year = days / (32 * 12);
  return append_digits(text, year, 2) && append_digits(text, month, 2) && append_digits(text, day, 2);
}

}  // namespace

std::optional<std::string> expanded_text(const std::vector<int> &characters) {
  Bits bits(characters);
  std::string text;
  bits.skip(1); /* linked to a composite component */
  /* Two bits say whether the number of characters, with the check character, is odd, and whether it is above 14. */
  const size_t count = characters.size() + 1;
  const int size = static_cast<int>(count % 2 * 2 + (count > 14));
  const auto has_size = [&] { return bits.read(2) == size; };
  bool is_valid = false;
  if (bits.peek(1) == 1) {
    bits.skip(1);
    is_valid = has_size();
    const int first_digit = bits.read(4);
    is_valid = is_valid && append_gtin(text, first_digit, bits) && append_general(text, bits);
  } else if (bits.peek(2) == 0) {
    bits.skip(2);
    is_valid = has_size() && append_general(text, bits) && !text.empty();
  } else if (bits.peek(3) == 0b010) {
    const bool is_3103 = bits.read(4) == 0b0100;
    is_valid = append_gtin(text, 9, bits);
    const int weight = bits.read(15);
    if (is_3103) {
      text += "3103";
      is_valid = is_valid && append_digits(text, weight, 6);
    } else {
      text += weight < 10000 ? "3202" : "3203";
      is_valid = is_valid && append_digits(text, weight < 10000 ? weight : weight - 10000, 6);
    }
  } else if (bits.peek(4) == 0b0110) {
    const bool has_currency = bits.read(5) == 0b01101;
    is_valid = has_size() && append_gtin(text, 9, bits);
    text += has_currency ? "393" : "392";
    text += static_cast<char>('0' + bits.read(2));
    if (has_currency) {
      const int currency = bits.read(10);
      is_valid = is_valid && append_digits(text, currency, 3);
    }
    is_valid = is_valid && append_general(text, bits);
  } else {
    /* 0111 and three bits: a weight in kilograms or pounds, and one of four dates. */
    constexpr const char *weights[] = {"310", "320"}, *dates[] = {"11", "13", "15", "17"};
    const int method = bits.read(7) & 7;
    is_valid =
        append_gtin(text, 9, bits) && append_weight_and_date(text, weights[method & 1], dates[method >> 1], bits);
  }
  if (!is_valid || bits.is_short) return {};
  return text;
}

}  // namespace barcode
