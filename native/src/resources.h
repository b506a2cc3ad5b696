// What the kernel counts of a device's objects, all processes together: `rdma resource show`, without the cost of a
// program after each scenario.
#pragma once

#include <napi.h>

void ExportResources(Napi::Env env, Napi::Object exports);
