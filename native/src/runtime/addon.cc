// The addon's exports: verbs for JavaScript, the server of a host process, the enumerations of the header, and what the
// host process needs beside them.
#include <dlfcn.h>
#include <napi.h>

#include "server/blocking.h"
#include "server/process.h"
#include "runtime/refusal.h"
#include "server/server.h"

namespace {

uv_loop_t* LoopOf(Napi::Env env) {
  uv_loop_t* loop = nullptr;
  if (napi_get_uv_event_loop(env, &loop) != napi_ok) throw Napi::Error::New(env);
  return loop;
}

Napi::Value CallJson(Napi::Env env, const char* function, Napi::Value argument) {
  const Napi::Object json = env.Global().Get("JSON").As<Napi::Object>();
  return json.Get(function).As<Napi::Function>().Call(json, {argument});
}

Json FromJavaScript(Napi::Value value) {
  const Napi::Value text = CallJson(value.Env(), "stringify", value);
  if (!text.IsString()) throw BadParams("the parameters must be a struct");
  return Json::parse(text.As<Napi::String>().Utf8Value());
}

Napi::Value ToJavaScript(Napi::Env env, const Json& value) {
  return CallJson(env, "parse", Napi::String::New(env, JsonText(value)));
}

// A verb with the objects that it may name.
struct BoundVerb {
  VerbFunction function;
  std::shared_ptr<Handles> handles;
};

// Settles a promise outside of any call from JavaScript.
Reply ReplyTo(Napi::Env env, const Napi::Promise::Deferred& deferred) {
  const auto context = std::make_shared<Napi::AsyncContext>(env, "verb");
  return [env, deferred, context](const std::function<Json()>& make) {
    const Napi::HandleScope handles{env};
    const Napi::CallbackScope callback{env, *context};
    try {
      deferred.Resolve(ToJavaScript(env, make()));
    } catch (const std::exception& error) {
      deferred.Reject(Napi::Error::New(env, error.what()).Value());
    }
  };
}

Napi::Value Invoke(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto& bound = *static_cast<const BoundVerb*>(info.Data());
  const auto deferred = Napi::Promise::Deferred::New(env);
  try {
    const Json values = FromJavaScript(info[0]);
    Params params{values};
    const Answer answer = bound.function(*bound.handles, params, ReplyTo(env, deferred));
    return answer ? ToJavaScript(env, *answer) : deferred.Promise();
  } catch (const Napi::Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Napi::Error::New(env, error.what());
  }
}

// The file of the provider's code that drives the context.
Napi::Value ProviderPath(Napi::Env env, const Handles& handles, const std::string& handle) {
  const auto context = handles.Get<Context>(handle);
  Dl_info found{};
  if (!dladdr(reinterpret_cast<void*>(context->pointer->ops.poll_cq), &found) || !found.dli_fname) return env.Null();
  return Napi::String::New(env, found.dli_fname);
}

// createVerbs() => {verbs, providerPath}: verbs with handles of their own.
Napi::Value CreateVerbs(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto handles = std::make_shared<Handles>();
  Napi::Object verbs = Napi::Object::New(env);
  for (const Verb& verb : AllVerbs()) {
    // Never freed: a verb may be called, and a blocked one may return, as long as the process lives.
    verbs.Set(verb.name, Napi::Function::New(env, Invoke, verb.name, new BoundVerb{verb.function, handles}));
  }
  Napi::Object set = Napi::Object::New(env);
  set.Set("verbs", verbs);
  set.Set("providerPath", Napi::Function::New(env, [handles](const Napi::CallbackInfo& info) -> Napi::Value {
            return ProviderPath(info.Env(), *handles, info[0].As<Napi::String>());
          }));
  return set;
}

// Calls the function from the event loop. What it throws is an uncaught exception, as from any other callback.
Server::OnHello OnHelloOf(const Napi::Function& function) {
  const auto reference = std::make_shared<Napi::FunctionReference>(Napi::Persistent(function));
  const auto context = std::make_shared<Napi::AsyncContext>(function.Env(), "hello");
  return [reference, context](const std::string& line) {
    const Napi::Env env = reference->Env();
    const Napi::HandleScope scope{env};
    try {
      reference->MakeCallback(env.Global(), {Napi::String::New(env, line)}, *context);
    } catch (const Napi::Error& error) {
      napi_fatal_exception(env, error.Value());
    }
  };
}

Server::Options ServerOptionsOf(const Napi::Object& options) {
  const auto number = [&](const char* name) { return options.Get(name).As<Napi::Number>().Int64Value(); };
  return {
      static_cast<int>(number("input")),
      static_cast<int>(number("output")),
      number("session"),
      static_cast<size_t>(number("maxLineBytes")),
      static_cast<size_t>(number("maxLevels")),
      std::chrono::milliseconds(number("graceMs")),
      static_cast<int>(number("exitCodeIfFailed")),
      options.Get("virtualTime").As<Napi::Boolean>().Value(),
  };
}

// serve(options, onHello) => setDevice
Napi::Value Serve(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Server::Options options = ServerOptionsOf(info[0].As<Napi::Object>());
  Server* server = nullptr;
  try {
    // Never freed: it serves for as long as the process lives.
    server = new Server(LoopOf(env), options, OnHelloOf(info[1].As<Napi::Function>()));
  } catch (const std::runtime_error& error) {
    throw Napi::Error::New(env, error.what());
  }
  return Napi::Function::New(env, [server](const Napi::CallbackInfo& info) {
    if (info[0].IsString()) return server->SetDevice(info[0].As<Napi::String>().Utf8Value());
    server->SetDevice(std::nullopt);
  });
}

// writeLine(descriptor, text)
void WriteText(const Napi::CallbackInfo& info) {
  try {
    WriteLine(info[0].As<Napi::Number>().Int32Value(), info[1].As<Napi::String>());
  } catch (const std::system_error& error) {
    throw Napi::Error::New(info.Env(), error.what());
  }
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
  Blocking::Start(LoopOf(env));
  exports.Set("createVerbs", Napi::Function::New<CreateVerbs>(env, "createVerbs"));
  exports.Set("describe", Napi::Function::New(env, [](const Napi::CallbackInfo& info) {
                return ToJavaScript(info.Env(), Descriptions());
              }));
  exports.Set("enumerations", EnumerationTables(env));
  exports.Set("serve", Napi::Function::New<Serve>(env, "serve"));
  exports.Set("writeLine", Napi::Function::New<WriteText>(env, "writeLine"));
  ExportProcessFunctions(env, exports);
  return exports;
}

}  // namespace

NODE_API_MODULE(verbs, Init)
