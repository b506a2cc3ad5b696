// Why the addon refuses a request before any verb is called. Verbs themselves never throw: their results are data.
#pragma once

#include <stdexcept>

struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
  // The code of the JSON-RPC error, see drivers/native/protocol.ts.
  virtual int Code() const noexcept = 0;
};

// A handle that does not exist, is of another kind, or cannot be used now.
struct BadHandle : Refusal {
  using Refusal::Refusal;
  int Code() const noexcept override { return -32001; }
};

struct WasDestroyed final : BadHandle {
  using BadHandle::BadHandle;
};

struct NoSuchMethod final : Refusal {
  using Refusal::Refusal;
  int Code() const noexcept override { return -32601; }
};

// A parameter that is missing, unknown, beyond what a host gives, or does not fit the C type.
struct BadParams final : Refusal {
  using Refusal::Refusal;
  int Code() const noexcept override { return -32602; }
};
