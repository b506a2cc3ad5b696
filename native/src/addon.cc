// The addon's exports: sets of verbs, the enumerations of the header, and what the host process needs beside them.
#include <dlfcn.h>
#include <napi.h>

#include "lines.h"
#include "process.h"
#include "refusal.h"
#include "resources.h"
#include "result.h"
#include "verbs.h"

namespace {

// A verb with the objects that it may name.
struct BoundVerb {
  VerbFunction function;
  std::shared_ptr<Handles> handles;
};

Napi::Error ErrorOf(Napi::Env env, const Refusal& refusal) {
  Napi::Error error = Napi::Error::New(env, refusal.what());
  error.Set("code", Napi::String::New(env, refusal.Code()));
  return error;
}

Napi::Value Invoke(const Napi::CallbackInfo& info) {
  const auto& bound = *static_cast<const BoundVerb*>(info.Data());
  try {
    Params params{info[0]};
    return bound.function(info.Env(), *bound.handles, params);
  } catch (const Refusal& refusal) {
    throw ErrorOf(info.Env(), refusal);
  } catch (const std::bad_alloc&) {
    throw Napi::Error::New(info.Env(), "no memory");
  }
}

void AddVerbs(Napi::Env env, Napi::Object into, const std::shared_ptr<Handles>& handles,
              const std::vector<Verb>& verbs) {
  for (const auto& [name, function] : verbs) {
    // Never freed: a verb may be called, and a blocked one may return, as long as the process lives.
    auto* const bound = new BoundVerb{function, handles};
    into.Set(name, Napi::Function::New(env, Invoke, name, bound));
  }
}

// The file of the provider's code that drives the context.
Napi::Value ProviderPath(Napi::Env env, const Handles& handles, const std::string& handle) {
  const auto context = handles.Get<Context>(handle);
  Dl_info found{};
  if (!dladdr(reinterpret_cast<void*>(context->pointer->ops.poll_cq), &found) || !found.dli_fname) return env.Null();
  return Napi::String::New(env, found.dli_fname);
}

// createVerbs() => {verbs, leftovers, providerPath}: verbs with handles of their own.
Napi::Value CreateVerbs(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto handles = std::make_shared<Handles>();
  Napi::Object verbs = Napi::Object::New(env);
  for (const auto& list :
       {DeviceVerbs(), PdVerbs(), AhVerbs(), MrVerbs(), MemoryVerbs(), MwVerbs(), CompChannelVerbs(), CqVerbs(),
        CqExVerbs(), MemberVerbs(), SrqVerbs(), QpVerbs(), WorkRequestVerbs(), AsyncEventVerbs(), ConstantTextVerbs(),
        DescriptorVerbs(), ResourceLimitVerbs()}) {
    AddVerbs(env, verbs, handles, list);
  }
  Napi::Object set = Napi::Object::New(env);
  set.Set("verbs", verbs);
  set.Set("leftovers", Napi::Function::New(env, [handles](const Napi::CallbackInfo& info) -> Napi::Value {
            return Strings(info.Env(), handles->Leftovers());
          }));
  set.Set("providerPath", Napi::Function::New(env, [handles](const Napi::CallbackInfo& info) -> Napi::Value {
            return ProviderPath(info.Env(), *handles, info[0].As<Napi::String>());
          }));
  return set;
}

Napi::Object EnumerationTables(Napi::Env env) {
  Napi::Object tables = Napi::Object::New(env);
  for (const Enumeration* enumeration : Enumerations()) {
    Napi::Object table = Napi::Object::New(env);
    for (const auto& [member, value] : enumeration->members) table.Set(member, static_cast<double>(value));
    tables.Set(enumeration->name, table);
  }
  return tables;
}

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  exports.Set("createVerbs", Napi::Function::New<CreateVerbs>(env, "createVerbs"));
  exports.Set("enumerations", EnumerationTables(env));
  ExportLineFunctions(env, exports);
  ExportProcessFunctions(env, exports);
  ExportResources(env, exports);
  return exports;
}

}  // namespace

NODE_API_MODULE(verbs, Init)
