#include "program/program.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "runtime/refusal.h"

namespace {

// What a program has at most.
constexpr size_t kMostCalls = 256;
constexpr size_t kMostThreads = 4;
constexpr size_t kMostNameLength = 32;

bool Has(const Json& op, const char* name) { return op.contains(name); }

bool IsName(const std::string& text) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  if (text.empty() || text.size() > kMostNameLength || !is_letter(text.front())) return false;
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

class Reader {
 public:
  explicit Reader(const Surroundings& surroundings) : knows_(surroundings.knows), names_(surroundings.names) {}

  std::vector<Op> Sequence(const Json& value, const std::string& where, bool is_thread) {
    if (!value.is_array()) throw BadParams(where + " must be a list of operations");
    if (value.size() > kMostCalls) throw BadParams(where + " has more than " + std::to_string(kMostCalls) + " operations");
    std::vector<Op> ops;
    for (const Json& op : value) ops.push_back(OpOf(op, where + " op " + std::to_string(ops.size()), is_thread));
    return ops;
  }

  size_t Calls() const { return calls_; }

 private:
  Op OpOf(const Json& value, const std::string& where, bool is_thread) {
    if (!value.is_object()) throw BadParams(where + " must be a struct");
    if (Has(value, "call")) return Call(value, where);
    if (Has(value, "par") && !is_thread) return Parallel(value, where);
    if (Has(value, "par")) throw BadParams(where + " has threads within a thread");
    if (!Has(value, "settle") || value["settle"] != true) throw BadParams(where + " must be a call, settle or par");
    OnlyMembers(value, where, {"settle"});
    return {Op::Kind::kSettle, where, calls_, "", nullptr, "", {}};
  }

  Op Call(const Json& value, const std::string& where) {
    OnlyMembers(value, where, {"call", "args", "as"});
    if (!value["call"].is_string()) throw BadParams(where + " must name what it calls");
    const auto verb = value["call"].get<std::string>();
    if (!knows_(verb)) throw BadParams(where + " calls \"" + verb.substr(0, 80) + "\", which is unknown");
    const std::string here = where + " (" + verb + ")";
    if (!Has(value, "args") || !value["args"].is_object()) throw BadParams(here + " must have a struct of args");
    if (calls_ >= kMostCalls) throw BadParams(here + " is one call more than " + std::to_string(kMostCalls));
    ForEachReference(value["args"], [&](const Json& reference) { CheckReference(reference, here); });
    return {Op::Kind::kCall, here, calls_++, verb, value["args"], NameOf(value, here), {}};
  }

  // The name counts for what follows, and for other threads, too, which then may come before it.
  std::string NameOf(const Json& value, const std::string& where) {
    if (!Has(value, "as")) return "";
    const Json& as = value["as"];
    const auto name = as.is_string() ? as.get<std::string>() : "";
    if (!IsName(name)) throw BadParams(where + " must have as its name small letters, digits and _");
    names_.insert(name);
    return name;
  }

  void CheckReference(const Json& reference, const std::string& where) const {
    OnlyMembers(reference, where, {"of", "member", "plus"});
    const auto name = reference["of"].get<std::string>();
    if (names_.count(name) == 0) {
      throw BadParams(where + " refers to \"" + name.substr(0, 80) + "\", which nothing before it makes");
    }
    if (Has(reference, "member") && !reference["member"].is_string()) {
      throw BadParams(where + " refers to a member that is no name");
    }
    if (Has(reference, "plus") && !reference["plus"].is_number_integer()) {
      throw BadParams(where + " adds to a reference what is no integer");
    }
  }

  Op Parallel(const Json& value, const std::string& where) {
    OnlyMembers(value, where, {"par"});
    const Json& threads = value["par"];
    if (!threads.is_array() || threads.empty() || threads.size() > kMostThreads) {
      throw BadParams(where + " must have 1 to " + std::to_string(kMostThreads) + " threads");
    }
    Op op{Op::Kind::kParallel, where, calls_, "", nullptr, "", {}};
    for (const Json& thread : threads) {
      const auto here = where + " thread " + std::to_string(op.threads.size());
      op.threads.push_back(Sequence(thread, here, /*is_thread=*/true));
    }
    return op;
  }

  static void OnlyMembers(const Json& value, const std::string& where, std::initializer_list<const char*> known) {
    for (const auto& [name, member] : value.items()) {
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      throw BadParams(where + " has the unknown member \"" + name.substr(0, 80) + "\"");
    }
  }

  const std::function<bool(const std::string&)> knows_;
  std::set<std::string> names_;
  size_t calls_ = 0;
};

}  // namespace

Program ProgramOf(const Json& value, const std::string& where, const Surroundings& surroundings) {
  Reader reader{surroundings};
  auto ops = reader.Sequence(value, where, /*is_thread=*/false);
  return {std::move(ops), reader.Calls()};
}

bool IsReference(const Json& value) {
  if (!value.is_object()) return false;
  const auto of = value.find("of");
  return of != value.end() && of->is_string();
}

void ForEachReference(const Json& value, const std::function<void(const Json& reference)>& use) {
  if (IsReference(value)) return use(value);
  if (!value.is_structured()) return;
  for (const Json& item : value) ForEachReference(item, use);
}
