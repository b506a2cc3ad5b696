#include "params.h"

#include <algorithm>
#include <cmath>

#include "refusal.h"
#include "text.h"

namespace {

// The names of what JSON text has brought.
Napi::Array OwnNames(const Napi::Object& object) {
  const Napi::Env env = object.Env();
  napi_value names;
  const auto filter = static_cast<napi_key_filter>(napi_key_enumerable | napi_key_skip_symbols);
  const napi_status status = napi_get_all_property_names(env, object, napi_key_own_only, filter,
                                                         napi_key_numbers_to_strings, &names);
  if (status != napi_ok) throw Napi::Error::New(env);
  return Napi::Array(env, names);
}

}  // namespace

Params::Params(const Napi::Value& value, std::string path) : path_(std::move(path)) {
  if (!value.IsObject() || value.IsArray()) Refuse("", "a struct");
  const auto object = value.As<Napi::Object>();
  const Napi::Array names = OwnNames(object);
  const uint32_t count = names.Length();
  members_.reserve(count);
  for (uint32_t index = 0; index < count; ++index) {
    const Napi::Value name = names.Get(index);
    members_.push_back({name.As<Napi::String>(), object.Get(name), false});
  }
}

bool Params::Has(const char* name) const {
  return std::any_of(members_.begin(), members_.end(), [&](const Member& member) { return member.name == name; });
}

bool Params::IsNull(const char* name) { return Take(name).IsNull(); }

std::string Params::String(const char* name) {
  const Napi::Value value = Take(name);
  if (!value.IsString()) Refuse(name, "a string");
  return value.As<Napi::String>();
}

bool Params::Boolean(const char* name) {
  const Napi::Value value = Take(name);
  if (!value.IsBoolean()) Refuse(name, "true or false");
  return value.As<Napi::Boolean>();
}

uint64_t Params::Word(const char* name) {
  const Napi::Value value = Take(name);
  const auto word = value.IsString() ? WordOf(value.As<Napi::String>()) : std::nullopt;
  if (!word) Refuse(name, "a 64-bit value, 0x and hexadecimal digits");
  return *word;
}

int64_t Params::Enum(const char* name, const Enumeration& enumeration) {
  const Napi::Value value = Take(name);
  if (value.IsNumber()) return Integer<int32_t>(name);
  const int64_t member = enumeration.ValueOf(String(name));
  if (member < INT32_MIN || member > UINT32_MAX) Refuse(name, "a member of a C enumeration");
  return member;
}

uint64_t Params::Flags(const char* name, const Enumeration& enumeration) {
  uint64_t bits = 0;
  for (const Napi::Value& item : List(name)) {
    if (!item.IsString()) Refuse(name, "a list of names");
    bits |= static_cast<uint64_t>(enumeration.ValueOf(item.As<Napi::String>()));
  }
  return bits;
}

Params Params::Struct(const char* name) { return Params(Take(name), path_ + name + "."); }

std::vector<Params> Params::Structs(const char* name) {
  std::vector<Params> structs;
  for (const Napi::Value& item : List(name)) {
    structs.emplace_back(item, path_ + name + "[" + std::to_string(structs.size()) + "].");
  }
  return structs;
}

void Params::End() const {
  for (const Member& member : members_) {
    if (!member.taken) throw BadParams("unknown parameter " + path_ + member.name.substr(0, 80));
  }
}

Napi::Value Params::Take(const char* name) {
  for (Member& member : members_) {
    if (member.name != name) continue;
    member.taken = true;
    return member.value;
  }
  throw BadParams("parameter " + path_ + name + " is missing");
}

double Params::IntegerBetween(const char* name, double min, double max) {
  const Napi::Value value = Take(name);
  const double number = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : std::nan("");
  if (!(number >= min && number <= max && number == std::floor(number))) {
    Refuse(name, "an integer from " + std::to_string(static_cast<int64_t>(min)) + " to " +
                     std::to_string(static_cast<int64_t>(max)));
  }
  return number;
}

std::vector<Napi::Value> Params::List(const char* name) {
  const Napi::Value value = Take(name);
  if (!value.IsArray()) Refuse(name, "a list");
  const Napi::Array list = value.As<Napi::Array>();
  std::vector<Napi::Value> items;
  for (uint32_t index = 0; index < list.Length(); ++index) items.push_back(list.Get(index));
  return items;
}

void Params::Refuse(const std::string& name, const std::string& expected) const {
  std::string where = path_ + name;
  if (!where.empty() && where.back() == '.') where.pop_back();
  throw BadParams((where.empty() ? "the parameters" : "parameter " + where) + " must be " + expected);
}
