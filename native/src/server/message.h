// The messages that travel. Client and host agree on what is JSON, as drivers/native/protocol.ts says.
#pragma once

#include <cstddef>
#include <string>

#include "server/json.h"

// The message of one line, or a discarded value if the line is not JSON, or nested deeper than `max_levels`. No value
// that is nested deeper comes about: to copy or to destroy one takes stack for each level.
Json MessageOf(const std::string& line, size_t max_levels);
