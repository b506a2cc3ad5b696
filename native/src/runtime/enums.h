// Names and values of the header's enumerations: names travel, so that a trace reads like the man pages.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

struct Enumeration {
  const char* name;
  std::vector<std::pair<const char*, int64_t>> members;

  // The name of a value; digits for a value that the header does not name.
  std::string NameOf(int64_t value) const;

  // The names of the bits that are set, lowest first; digits for what is left over.
  std::vector<std::string> NamesOf(uint64_t bits) const;

  // The value of a name or of digits. Throws BadParams that lists the names.
  int64_t ValueOf(const std::string& text) const;
};

extern const Enumeration kAccessFlags;
extern const Enumeration kAtomicCap;
extern const Enumeration kCqAttrMask;
extern const Enumeration kCqInitAttrMask;
extern const Enumeration kCreateCqAttrFlags;
extern const Enumeration kCreateCqWcFlags;
extern const Enumeration kDeviceCapFlags;
extern const Enumeration kEventType;
extern const Enumeration kLinkLayer;
extern const Enumeration kMigState;
extern const Enumeration kMtu;
extern const Enumeration kMwType;
extern const Enumeration kNodeType;
extern const Enumeration kOpenFlags;
extern const Enumeration kPollEvents;
extern const Enumeration kPortState;
extern const Enumeration kQpAttrMask;
extern const Enumeration kQpState;
extern const Enumeration kQpType;
extern const Enumeration kSendFlags;
extern const Enumeration kSrqAttrMask;
extern const Enumeration kTransportType;
extern const Enumeration kWcFlags;
extern const Enumeration kWcOpcode;
extern const Enumeration kWcStatus;
extern const Enumeration kWrOpcode;

// All of the above.
const std::vector<const Enumeration*>& Enumerations();
