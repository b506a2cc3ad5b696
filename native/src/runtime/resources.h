// What a scenario may leave behind in this process and in the kernel, read without the cost of programs or of scripts.
#pragma once

#include <string>
#include <vector>

#include "server/json.h"

// How many objects of each kind the kernel counts on the device, of all processes; null where it does not say.
Json ResourceCounts(const std::string& device);

// What the open descriptors of this process stand for that belong to RDMA: `/dev/infiniband/uverbs0`, ...
std::vector<std::string> OpenRdmaFiles();

// Bits that say what has gone wrong with the kernel since it booted, or null where it does not say.
Json KernelTaint();
