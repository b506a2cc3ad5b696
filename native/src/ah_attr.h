// The path to a peer, which an address handle and the path of a connected QP have in common.
#pragma once

#include <infiniband/verbs.h>

#include "runtime/params.h"

ibv_ah_attr AhAttrOf(Params params);
