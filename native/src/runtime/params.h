// The named parameters of a request, each demanded with the range of its C type: a client may be written by anyone.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/enums.h"
#include "server/json.h"

class Params {
 public:
  // The value has to outlive this. Throws BadParams if it is not a struct. `path` stands before the names in messages.
  explicit Params(const Json& value, std::string path = "");

  bool Has(const char* name) const;
  bool IsNull(const char* name);
  // The value as it is.
  const Json& Any(const char* name) { return Take(name); }
  const Json& List(const char* name);
  std::string String(const char* name);
  bool Boolean(const char* name);
  // A 64-bit value, which travels as text.
  uint64_t Word(const char* name);
  // The value of a member of an enumeration, also one that the header does not name. It fits the C type.
  int64_t Enum(const char* name, const Enumeration& enumeration);
  // The bits of a list of names.
  uint64_t Flags(const char* name, const Enumeration& enumeration);
  Params Struct(const char* name);
  std::vector<Params> Structs(const char* name);

  // A number in the range of the C type; at most 53 bits, which is what a JSON number carries.
  template <class T>
  T Integer(const char* name) {
    static_assert(std::is_integral_v<T>);
    constexpr double kMost = 9007199254740991.0;
    constexpr double kMin = sizeof(T) < 8 ? static_cast<double>(std::numeric_limits<T>::min())
                                          : (std::is_signed_v<T> ? -kMost : 0);
    constexpr double kMax = sizeof(T) < 8 ? static_cast<double>(std::numeric_limits<T>::max()) : kMost;
    return static_cast<T>(IntegerBetween(name, kMin, kMax));
  }

  // Throws BadParams if there is a parameter that nobody asked for.
  void End() const;

 private:
  const Json& Take(const char* name);
  double IntegerBetween(const char* name, double min, double max);
  [[noreturn]] void Refuse(const std::string& name, const std::string& expected) const;

  std::string path_;
  const Json* struct_;
  std::vector<const Json*> taken_;  // values that somebody asked for
};
