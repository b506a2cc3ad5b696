// What a scenario may leave behind in this process and in the kernel, read without the cost of programs or of scripts.
#pragma once

#include <napi.h>

void ExportResources(Napi::Env env, Napi::Object exports);
