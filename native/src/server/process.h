// What the host process needs beside verbs and Node cannot give.
#pragma once

#include <napi.h>

void ExportProcessFunctions(Napi::Env env, Napi::Object exports);
