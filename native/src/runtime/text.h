// 64-bit values, GIDs, GUIDs and bytes as text: hexadecimal digits, those of GIDs and GUIDs in groups of four.
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "runtime/refusal.h"

inline void AppendHex(std::string& text, uint8_t byte) {
  static constexpr char kDigits[] = "0123456789abcdef";
  text += kDigits[byte >> 4];
  text += kDigits[byte & 15];
}

// The value of a digit, or -1.
inline int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// A 64-bit value as it travels: `0x` and digits without leading zeros.
inline std::string WordText(uint64_t word) {
  char text[2 + 16 + 1];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(word));
  return text;
}

// The 64-bit value of such a text, or nothing if it is another one.
inline std::optional<uint64_t> WordOf(const std::string& text) {
  const bool is_word = text.size() > 2 && text.size() <= 18 && text.compare(0, 2, "0x") == 0;
  if (!is_word || (text[2] == '0' && text.size() > 3)) return std::nullopt;
  uint64_t word = 0;
  for (size_t at = 2; at < text.size(); ++at) {
    const int digit = HexDigit(text[at]);
    if (digit < 0) return std::nullopt;
    word = word << 4 | static_cast<uint64_t>(digit);
  }
  return word;
}

inline std::string HexText(const std::vector<uint8_t>& bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const uint8_t byte : bytes) AppendHex(text, byte);
  return text;
}

// Throws BadParams.
inline std::vector<uint8_t> BytesOf(const std::string& text) {
  if (text.size() % 2 != 0) throw BadParams("bytes must have two hexadecimal digits each");
  std::vector<uint8_t> bytes;
  bytes.reserve(text.size() / 2);
  for (size_t at = 0; at < text.size(); at += 2) {
    const int high = HexDigit(text[at]);
    const int low = HexDigit(text[at + 1]);
    if (high < 0 || low < 0) throw BadParams("bytes must be hexadecimal digits, those above 9 in lower case");
    bytes.push_back(static_cast<uint8_t>(high << 4 | low));
  }
  return bytes;
}

inline std::string HexGroups(const uint8_t* bytes, size_t length) {
  std::string text;
  for (size_t index = 0; index < length; ++index) {
    if (index > 0 && index % 2 == 0) text += ':';
    AppendHex(text, bytes[index]);
  }
  return text;
}

inline std::string GidText(const ibv_gid& gid) { return HexGroups(gid.raw, sizeof gid.raw); }

// `guid` in the byte order of the host.
inline std::string GuidText(uint64_t guid) {
  uint8_t bytes[8];
  for (int index = 0; index < 8; ++index) bytes[index] = static_cast<uint8_t>(guid >> (56 - 8 * index));
  return HexGroups(bytes, sizeof bytes);
}

// The GID of 8 groups of 4 hexadecimal digits. Throws BadParams.
inline ibv_gid GidOf(const std::string& text) {
  const auto digit = [&](char c) -> int {
    const int value = HexDigit(c);
    if (value >= 0) return value;
    throw BadParams("\"" + text.substr(0, 80) + "\" is not a GID of 8 groups of 4 hexadecimal digits");
  };
  ibv_gid gid{};
  if (text.size() != 39) digit('?');
  for (size_t group = 0; group < 8; ++group) {
    const size_t at = group * 5;
    if (group > 0 && text[at - 1] != ':') digit('?');
    gid.raw[2 * group] = static_cast<uint8_t>(digit(text[at]) << 4 | digit(text[at + 1]));
    gid.raw[2 * group + 1] = static_cast<uint8_t>(digit(text[at + 2]) << 4 | digit(text[at + 3]));
  }
  return gid;
}

// Stands for a handle where a verb gave the address of an object that is not known.
inline std::string UnknownObject(const char* kind, const void* address) {
  const std::string digits = WordText(reinterpret_cast<uintptr_t>(address));
  return std::string("unknown-") + kind + "@" + digits;
}
