// The arguments of a verb: a name, a type in the words of drivers/verbs/idl.ts, and how each is taken from a request.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/struct_table.h"
#include "runtime/verbs.h"

template <class T>
struct Argument {
  const char* name;
  Json type;
  std::function<T(const Handles&, Params&)> take;
};

// A living object that no call is destroying.
template <class Kind>
Argument<std::shared_ptr<Kind>> Living(const char* name) {
  return {name, ObjectType<Kind>(),
          [=](const Handles& handles, Params& params) { return handles.Get<Kind>(params.String(name)); }};
}

// An object to be destroyed, which no other call uses.
template <class Kind>
Argument<std::shared_ptr<Kind>> Unused(const char* name) {
  return {name, ObjectType<Kind>(),
          [=](const Handles& handles, Params& params) { return handles.GetUnused<Kind>(params.String(name)); }};
}

// An object, also one whose destruction waits for acknowledgements.
template <class Kind>
Argument<std::shared_ptr<Kind>> Acknowledgeable(const char* name) {
  return {name, ObjectType<Kind>(),
          [=](const Handles& handles, Params& params) { return handles.GetAcknowledgeable<Kind>(params.String(name)); }};
}

// An object, or null for a null pointer.
template <class Kind>
Argument<std::shared_ptr<Kind>> ObjectOrNull(const char* name) {
  return {name, ObjectType<Kind>() + " or null", [=](const Handles& handles, Params& params) {
            return params.IsNull(name) ? nullptr : handles.Get<Kind>(params.String(name));
          }};
}

template <class T>
Argument<T> Integer(const char* name) {
  return {name, IntegerType<T>(), [=](const Handles&, Params& params) { return params.Integer<T>(name); }};
}

template <class T>
Argument<std::optional<T>> IntegerOrNull(const char* name) {
  return {name, std::string(IntegerType<T>()) + " or null", [=](const Handles&, Params& params) -> std::optional<T> {
            if (params.IsNull(name)) return std::nullopt;
            return params.Integer<T>(name);
          }};
}

// 64 bits; a pointer of the user's or an address.
inline Argument<uint64_t> Word(const char* name) {
  return {name, "u64", [=](const Handles&, Params& params) { return params.Word(name); }};
}

inline Argument<std::string> Text(const char* name) {
  return {name, "text", [=](const Handles&, Params& params) { return params.String(name); }};
}

// One of a few texts.
inline Argument<std::string> Constant(const char* name, const std::string& texts) {
  return {name, "constant " + texts, [=](const Handles&, Params& params) { return params.String(name); }};
}

inline Argument<std::vector<uint8_t>> Bytes(const char* name) {
  return {name, "bytes", [=](const Handles&, Params& params) { return BytesOf(params.String(name)); }};
}

template <class T>
Argument<T> Enumerator(const char* name, const Enumeration& enumeration) {
  return {name, EnumType(enumeration), [=, &enumeration](const Handles&, Params& params) {
            return static_cast<T>(params.Enum(name, enumeration));
          }};
}

template <class T>
Argument<T> Bits(const char* name, const Enumeration& enumeration) {
  return {name, FlagsType(enumeration), [=, &enumeration](const Handles&, Params& params) {
            return static_cast<T>(params.Flags(name, enumeration));
          }};
}

template <class S>
Argument<S> Struct(const char* name, const StructTable<S>& table) {
  return {name, table.Type(),
          [=](const Handles& handles, Params& params) { return table.Take(handles, params.Struct(name)); }};
}

// A list of structs that the verb takes apart by itself.
inline Argument<std::vector<Params>> Structs(const char* name, Json type) {
  return {name, Json::array({std::move(type)}), [=](const Handles&, Params& params) { return params.Structs(name); }};
}

// What a call needs beside its arguments.
struct Call {
  Handles& handles;
  const Reply& reply;
};

// A verb whose function gets its arguments as C++ has them. What a request has beyond them is refused.
template <class... Taken>
Verb Describe(const char* name, Answer (*function)(const Call&, Taken...), Argument<Taken>... arguments) {
  Json in = Json::array();
  (in.push_back(Json{{arguments.name, arguments.type}}), ...);
  const auto run = [=](Handles& handles, Params& params, const Reply& reply) {
    std::tuple<Taken...> taken{arguments.take(handles, params)...};
    params.End();
    const Call call{handles, reply};
    return std::apply([&](Taken&... values) { return function(call, std::move(values)...); }, taken);
  };
  return {name, run, std::move(in), Json::object()};
}
