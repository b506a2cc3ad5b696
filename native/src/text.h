// GIDs and GUIDs as text: hexadecimal digits in groups of four.
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <cstdio>
#include <string>

#include "refusal.h"

inline std::string HexGroups(const uint8_t* bytes, size_t length) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (size_t index = 0; index < length; ++index) {
    if (index > 0 && index % 2 == 0) text += ':';
    text += kDigits[bytes[index] >> 4];
    text += kDigits[bytes[index] & 15];
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
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    throw BadParams("\"" + text.substr(0, 80) + "\" is no GID of 8 groups of 4 hexadecimal digits");
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
  char digits[2 * sizeof address + 3];
  std::snprintf(digits, sizeof digits, "0x%llx",
                static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(address)));
  return std::string("unknown-") + kind + "@" + digits;
}
