/* The bits of an Aztec code's message as text (ISO/IEC 24778, 7.1 and annexes). */
#include "aztec.h"

#include <ZXing/CharacterSet.h>

#include <algorithm>
#include <cctype>
#include <cstring>

namespace barcode {

namespace {

enum class Mode { upper, lower, mixed, punctuation, digit };

/* What a codeword is in a mode: characters, or one of these. */
enum class Action { characters, flag, punctuation_shift, upper_shift, upper, lower, mixed, punctuation, digit, binary };

constexpr char separator = 0x1D;

class Bits {
 public:
  explicit Bits(const std::vector<bool> &bits) : bits_(bits) {}

  size_t left() const { return bits_.size() - next_; }

  /* The next bits as a number; nothing where there are fewer. */
  std::optional<int> read(size_t count) {
    if (left() < count) return {};
    int value = 0;
    while (count-- > 0) value = 2 * value + bits_[next_++];
    return value;
  }

  bool all_ones() const {
    for (size_t i = next_; i < bits_.size(); ++i)
      if (!bits_[i]) return false;
    return true;
  }

 private:
  const std::vector<bool> &bits_;
  size_t next_ = 0;
};

Action letter_action(int code) {
  constexpr Action actions[] = {Action::mixed, Action::digit, Action::binary};
  return code == 0 ? Action::punctuation_shift : code >= 29 ? actions[code - 29] : Action::characters;
}

/* What a codeword says; its characters are appended. */
Action action(Mode mode, int code, std::string &characters) {
  constexpr char mixed[] = " \1\2\3\4\5\6\7\10\11\12\13\14\15\33\34\35\36\37@\\^_`|~\177";
  constexpr char punctuation[] = "!\"#$%&'()*+,-./:;<=>?[]{}";
  constexpr const char *pairs[] = {"\r", "\r\n", ". ", ", ", ": "};
  constexpr char digits[] = " 0123456789,.";
  Action result = Action::characters;
  switch (mode) {
    case Mode::upper:
      result = code == 28 ? Action::lower : letter_action(code);
      if (result == Action::characters) characters += code == 1 ? ' ' : static_cast<char>('A' + code - 2);
      break;
    case Mode::lower:
      result = code == 28 ? Action::upper_shift : letter_action(code);
      if (result == Action::characters) characters += code == 1 ? ' ' : static_cast<char>('a' + code - 2);
      break;
    case Mode::mixed: {
      constexpr Action actions[] = {Action::lower, Action::upper, Action::punctuation, Action::binary};
      result = code == 0 ? Action::punctuation_shift : code >= 28 ? actions[code - 28] : Action::characters;
      if (result == Action::characters) characters += mixed[code - 1];
      break;
    }
    case Mode::punctuation:
      result = code == 0 ? Action::flag : code == 31 ? Action::upper : Action::characters;
      if (result == Action::characters) {
        if (code <= 5)
          characters += pairs[code - 1];
        else
          characters += punctuation[code - 6];
      }
      break;
    case Mode::digit:
      result = code == 0    ? Action::punctuation_shift
               : code == 14 ? Action::upper
               : code == 15 ? Action::upper_shift
                            : Action::characters;
      if (result == Action::characters) characters += digits[code - 1];
      break;
  }
  return result;
}

/* The number of an extended channel interpretation: digits in the codewords of the digit mode. */
std::optional<int> channel(Bits &bits, int digits) {
  int number = 0;
  while (digits-- > 0) {
    const auto code = bits.read(4);
    if (!code || *code < 2 || *code > 11) return {};
    number = 10 * number + *code - 2;
  }
  return number;
}

bool append_flag(Bits &bits, ZXing::Content &content, bool &has_function) {
  constexpr int reserved = 7;
  const auto digits = bits.read(3);
  if (!digits || *digits == reserved) return false;
  if (*digits == 0) {
    has_function = true;
    content.push_back(separator);
    return true;
  }
  const auto number = channel(bits, *digits);
  if (number) content.switchEncoding(static_cast<ZXing::ECI>(*number));
  return number.has_value();
}

enum class Binary { bytes, padding, malformed };

/* Behind the shift to binary follow the number of bytes and those. Ones up to the end, too few for the bytes that they
 * would count, are padding. */
Binary append_binary(Bits &bits, ZXing::Content &content) {
  constexpr size_t count_bits = 5, more_bits = 11, byte_bits = 8;
  constexpr int short_counts = 31;
  if (bits.left() < count_bits + byte_bits) return Binary::padding;
  const bool may_be_padding = bits.all_ones();
  auto count = bits.read(count_bits);
  if (*count == 0) {
    count = bits.read(more_bits);
    if (!count) return Binary::malformed;
    *count += short_counts;
  }
  if (static_cast<size_t>(*count) * byte_bits > bits.left())
    return may_be_padding ? Binary::padding : Binary::malformed;
  for (int i = 0; i < *count; ++i) content.push_back(static_cast<uint8_t>(*bits.read(byte_bits)));
  return Binary::bytes;
}

/* Removes bytes. The library's `erase` leaves character sets that are named behind the last byte, or within those that
 * are removed, at positions beyond the text, and the text is then read from there. */
void remove(ZXing::Content &content, int position, int count) {
  const auto first = content.bytes.begin() + position;
  content.bytes.erase(first, first + count);
  for (auto &encoding : content.encodings)
    if (encoding.pos > position) encoding.pos = std::max(position, encoding.pos - count);
}

/* The header of a code that is one of several: a name between spaces, which may be missing, then the letters of its
 * number and of the number of all. */
bool take_sequence(AztecMessage &message) {
  auto &bytes = message.content.bytes;
  size_t start = 0;
  if (!bytes.empty() && bytes[0] == ' ') {
    const auto end = std::find(bytes.begin() + 1, bytes.end(), ' ');
    if (end == bytes.end()) return false;
    start = static_cast<size_t>(end - bytes.begin()) + 1;
  }
  if (bytes.size() < start + 2 || !std::isupper(bytes[start]) || !std::isupper(bytes[start + 1])) return false;
  message.sequence_index = bytes[start] - 'A';
  message.sequence_size = bytes[start + 1] - 'A' + 1;
  if (message.sequence_size <= message.sequence_index) message.sequence_size = 0;
  remove(message.content, 0, static_cast<int>(start) + 2);
  return true;
}

/* FNC1 as the first character, or behind a letter or two digits, says what the message is. */
void take_function(AztecMessage &message) {
  auto &content = message.content;
  auto &symbology = content.symbology;
  const auto &bytes = content.bytes;
  const bool is_one_of_several = message.sequence_index >= 0;
  const auto is = [&](size_t index, int (*test)(int)) { return index < bytes.size() && test(bytes[index]) != 0; };
  const auto ends = [&](size_t index) { return index < bytes.size() && bytes[index] == separator; };
  if (ends(0)) {
    symbology.modifier = is_one_of_several ? '7' : '1';
    mark_as_gs1(content);
    remove(content, 0, 1);
  } else if (is(0, std::isupper) && ends(1)) {
    symbology.modifier = is_one_of_several ? '8' : '2';
    remove(content, 1, 1);
  } else if (is(0, std::isdigit) && is(1, std::isdigit) && ends(2)) {
    symbology.modifier = is_one_of_several ? '8' : '2';
    remove(content, 2, 1);
  }
}

}  // namespace

std::optional<AztecMessage> aztec_message(const std::vector<bool> &all) {
  AztecMessage message;
  auto &content = message.content;
  Bits bits(all);
  /* A message that is one of several begins with two changes of mode that say nothing else. */
  Bits head(all);
  constexpr int to_mixed = 29, from_mixed_to_upper = 29;
  const bool is_one_of_several = head.read(5) == to_mixed && head.read(5) == from_mixed_to_upper;
  bool has_function = false;
  Mode latched = Mode::upper, current = Mode::upper;
  const auto latch = [&](Mode mode) { latched = current = mode; };
  std::string characters;
  bool is_over = false;
  while (!is_over) {
    const auto code = bits.read(current == Mode::digit ? 4 : 5);
    if (!code) break;
    characters.clear();
    const Mode mode = current;
    const Action next = action(mode, *code, characters);
    /* A shift ends behind one character. Where that is another shift, its end is in the mode of the first one. */
    const bool is_shift =
        next == Action::punctuation_shift || next == Action::upper_shift || next == Action::binary;
    if (is_shift) latched = mode;
    current = latched;
    switch (next) {
      case Action::characters: content.append(characters); break;
      case Action::punctuation_shift: current = Mode::punctuation; break;
      case Action::upper_shift: current = Mode::upper; break;
      case Action::upper: latch(Mode::upper); break;
      case Action::lower: latch(Mode::lower); break;
      case Action::mixed: latch(Mode::mixed); break;
      case Action::punctuation: latch(Mode::punctuation); break;
      case Action::digit: latch(Mode::digit); break;
      case Action::flag:
        if (!append_flag(bits, content, has_function)) return {};
        break;
      case Action::binary: {
        const Binary binary = append_binary(bits, content);
        if (binary == Binary::malformed) return {};
        is_over = binary == Binary::padding;
        break;
      }
    }
  }
  if (content.bytes.empty()) return {};
  content.symbology = {'z', '0', 3};
  if (is_one_of_several && take_sequence(message)) content.symbology.modifier = '6';
  if (has_function) take_function(message);
  return message;
}

}  // namespace barcode
