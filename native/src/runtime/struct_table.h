// Structs as tables of their members. An entry takes a member from a request, gives it in an answer, and describes it;
// the C type is that of the header, so a table that no longer fits the header does not compile.
#pragma once

#include <arpa/inet.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/handles.h"
#include "runtime/params.h"
#include "runtime/text.h"
#include "server/json.h"

// The type of an integer in the words of drivers/verbs/idl.ts.
template <class T>
const char* IntegerType() {
  static_assert(std::is_integral_v<T> && (std::is_unsigned_v<T> || sizeof(T) == 4));
  if constexpr (sizeof(T) == 8) return "size";
  if constexpr (std::is_signed_v<T>) return "i32";
  return sizeof(T) == 1 ? "u8" : sizeof(T) == 2 ? "u16" : "u32";
}

inline std::string EnumType(const Enumeration& enumeration) { return std::string("enum ") + enumeration.name; }
inline std::string FlagsType(const Enumeration& enumeration) { return std::string("flags ") + enumeration.name; }

template <class T>
std::string ObjectType() {
  return std::string("object ") + T::kKind;
}

template <class S>
struct Member {
  const char* name;
  Json type;
  std::function<void(const Handles&, Params&, S&)> take;
  std::function<Json(const S&)> give;
  bool is_optional = false;
};

template <class S>
class StructTable {
 public:
  StructTable(std::initializer_list<Member<S>> members) : members_(members) {}

  // Members that may be left out are then 0. Throws BadParams.
  S Take(const Handles& handles, Params params) const {
    S value{};
    TakeInto(handles, params, value);
    params.End();
    return value;
  }

  void TakeInto(const Handles& handles, Params& params, S& value) const {
    for (const auto& member : members_) {
      if (!member.is_optional || params.Has(member.name)) member.take(handles, params, value);
    }
  }

  Json Give(const S& value) const {
    Json values = Json::object();
    for (const auto& member : members_) values[member.name] = member.give(value);
    return values;
  }

  // Types by names, those that may be left out with a question mark.
  Json Type() const {
    Json type = Json::object();
    for (const auto& member : members_) type[std::string(member.name) + (member.is_optional ? "?" : "")] = member.type;
    return type;
  }

 private:
  std::vector<Member<S>> members_;
};

template <class S, class T>
Member<S> Number(const char* name, T S::*member) {
  return {name, IntegerType<T>(),
          [=](const Handles&, Params& params, S& value) { value.*member = params.Integer<T>(name); },
          [=](const S& value) -> Json { return value.*member; }};
}

// 32 bits in network byte order, which travel as the number whose first byte is the highest.
template <class S>
Member<S> NetworkNumber(const char* name, uint32_t S::*member) {
  return {name, IntegerType<uint32_t>(),
          [=](const Handles&, Params& params, S& value) { value.*member = htonl(params.Integer<uint32_t>(name)); },
          [=](const S& value) -> Json { return ntohl(value.*member); }};
}

// 64 bits, or a pointer of the user's.
template <class S, class T>
Member<S> Word(const char* name, T S::*member) {
  if constexpr (std::is_pointer_v<T>) {
    return {name, "u64",
            [=](const Handles&, Params& params, S& value) {
              value.*member = reinterpret_cast<T>(static_cast<uintptr_t>(params.Word(name)));
            },
            [=](const S& value) -> Json { return WordText(reinterpret_cast<uintptr_t>(value.*member)); }};
  } else {
    static_assert(sizeof(T) == sizeof(uint64_t));
    return {name, "u64", [=](const Handles&, Params& params, S& value) { value.*member = params.Word(name); },
            [=](const S& value) -> Json { return WordText(value.*member); }};
  }
}

// An int that is 0 or 1.
template <class S, class T>
Member<S> Flag(const char* name, T S::*member) {
  return {name, "bool", [=](const Handles&, Params& params, S& value) { value.*member = params.Boolean(name) ? 1 : 0; },
          [=](const S& value) -> Json { return value.*member != 0; }};
}

template <class S, class T>
Member<S> Enumerator(const char* name, T S::*member, const Enumeration& enumeration) {
  return {name, EnumType(enumeration),
          [=, &enumeration](const Handles&, Params& params, S& value) {
            value.*member = static_cast<T>(params.Enum(name, enumeration));
          },
          [=, &enumeration](const S& value) -> Json { return enumeration.NameOf(static_cast<int64_t>(value.*member)); }};
}

template <class S, class T>
Member<S> Bits(const char* name, T S::*member, const Enumeration& enumeration) {
  return {name, FlagsType(enumeration),
          [=, &enumeration](const Handles&, Params& params, S& value) {
            value.*member = static_cast<T>(params.Flags(name, enumeration));
          },
          [=, &enumeration](const S& value) -> Json { return enumeration.NamesOf(static_cast<uint64_t>(value.*member)); }};
}

template <class S>
Member<S> Gid(const char* name, ibv_gid S::*member) {
  return {name, "gid",
          [=](const Handles&, Params& params, S& value) { value.*member = GidOf(params.String(name)); },
          [=](const S& value) -> Json { return GidText(value.*member); }};
}

template <class S, class T>
Member<S> Struct(const char* name, T S::*member, const StructTable<T>& table) {
  return {name, table.Type(),
          [=](const Handles& handles, Params& params, S& value) {
            value.*member = table.Take(handles, params.Struct(name));
          },
          [=](const S& value) { return table.Give(value.*member); }};
}

// The pointer of a living object, which nobody gives back.
template <class Kind, class S, class T>
Member<S> Pointer(const char* name, T* S::*member) {
  return {name, ObjectType<Kind>(),
          [=](const Handles& handles, Params& params, S& value) {
            value.*member = handles.Get<Kind>(params.String(name))->pointer;
          },
          nullptr};
}

// The same, or a null pointer.
template <class Kind, class S, class T>
Member<S> PointerOrNull(const char* name, T* S::*member) {
  return {name, ObjectType<Kind>() + " or null",
          [=](const Handles& handles, Params& params, S& value) {
            value.*member = params.IsNull(name) ? nullptr : handles.Get<Kind>(params.String(name))->pointer;
          },
          nullptr};
}

// The same member, which may be left out.
template <class S>
Member<S> Optional(Member<S> member) {
  member.is_optional = true;
  return member;
}
