// The runner has no event loop: what blocks does so on a thread of a program.
#include <stdexcept>

#include "server/blocking.h"

Blocking& Blocking::Instance() { throw std::logic_error("the runner has no event loop"); }

void Blocking::Run(std::function<void()>, std::function<void()>) { throw std::logic_error("the runner has no event loop"); }
