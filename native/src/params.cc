#include "params.h"

#include <cmath>

#include "refusal.h"

Params::Params(const Napi::Value& value, std::string path) : path_(std::move(path)) {
  if (!value.IsObject() || value.IsArray()) Refuse("", "a struct");
  object_ = value.As<Napi::Object>();
}

bool Params::Has(const char* name) { return object_.HasOwnProperty(name); }

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
  bool lossless = false;
  const uint64_t word = value.IsBigInt() ? value.As<Napi::BigInt>().Uint64Value(&lossless) : 0;
  if (!lossless) Refuse(name, "a 64-bit value");
  return word;
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
  const Napi::Array names = object_.GetPropertyNames();
  for (uint32_t index = 0; index < names.Length(); ++index) {
    const std::string name = names.Get(index).ToString();
    if (taken_.count(name) == 0) throw BadParams("unknown parameter " + path_ + name.substr(0, 80));
  }
}

Napi::Value Params::Take(const char* name) {
  if (!Has(name)) throw BadParams("parameter " + path_ + name + " is missing");
  taken_.insert(name);
  return object_.Get(name);
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
