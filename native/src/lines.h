// Text that travels line by line.
#pragma once

#include <napi.h>

void ExportLineFunctions(Napi::Env env, Napi::Object exports);
