#include "runtime/params.h"

#include <algorithm>
#include <cmath>

#include "runtime/refusal.h"
#include "runtime/text.h"

Params::Params(const Json& value, std::string path) : path_(std::move(path)), struct_(&value) {
  if (!value.is_object()) Refuse("", "a struct");
}

bool Params::Has(const char* name) const { return struct_->contains(name); }

bool Params::IsNull(const char* name) { return Take(name).is_null(); }

std::string Params::String(const char* name) {
  const Json& value = Take(name);
  if (!value.is_string()) Refuse(name, "a string");
  return value.get<std::string>();
}

bool Params::Boolean(const char* name) {
  const Json& value = Take(name);
  if (!value.is_boolean()) Refuse(name, "true or false");
  return value.get<bool>();
}

uint64_t Params::Word(const char* name) {
  const Json& value = Take(name);
  const auto word = value.is_string() ? WordOf(value.get_ref<const std::string&>()) : std::nullopt;
  if (!word) Refuse(name, "a 64-bit value, 0x and hexadecimal digits");
  return *word;
}

int64_t Params::Enum(const char* name, const Enumeration& enumeration) {
  const Json& value = Take(name);
  if (value.is_number()) return Integer<int32_t>(name);
  const int64_t member = enumeration.ValueOf(String(name));
  if (member < INT32_MIN || member > UINT32_MAX) Refuse(name, "a member of a C enumeration");
  return member;
}

uint64_t Params::Flags(const char* name, const Enumeration& enumeration) {
  uint64_t bits = 0;
  for (const Json& item : List(name)) {
    if (!item.is_string()) Refuse(name, "a list of names");
    bits |= static_cast<uint64_t>(enumeration.ValueOf(item.get_ref<const std::string&>()));
  }
  return bits;
}

Params Params::Struct(const char* name) { return Params(Take(name), path_ + name + "."); }

std::vector<Params> Params::Structs(const char* name) {
  std::vector<Params> structs;
  for (const Json& item : List(name)) {
    structs.emplace_back(item, path_ + name + "[" + std::to_string(structs.size()) + "].");
  }
  return structs;
}

void Params::End() const {
  for (const auto& [name, value] : struct_->items()) {
    if (std::find(taken_.begin(), taken_.end(), &value) != taken_.end()) continue;
    throw BadParams("unknown parameter " + path_ + name.substr(0, 80));
  }
}

const Json& Params::Take(const char* name) {
  const auto found = struct_->find(name);
  if (found == struct_->end()) throw BadParams("parameter " + path_ + name + " is missing");
  taken_.push_back(&*found);
  return *found;
}

double Params::IntegerBetween(const char* name, double min, double max) {
  const Json& value = Take(name);
  const double number = value.is_number() ? value.get<double>() : std::nan("");
  if (!(number >= min && number <= max && number == std::floor(number))) {
    Refuse(name, "an integer from " + std::to_string(static_cast<int64_t>(min)) + " to " +
                     std::to_string(static_cast<int64_t>(max)));
  }
  return number;
}

const Json& Params::List(const char* name) {
  const Json& value = Take(name);
  if (!value.is_array()) Refuse(name, "a list");
  return value;
}

void Params::Refuse(const std::string& name, const std::string& expected) const {
  std::string where = path_ + name;
  if (!where.empty() && where.back() == '.') where.pop_back();
  throw BadParams((where.empty() ? "the parameters" : "parameter " + where) + " must be " + expected);
}
