// The path to a peer, which an address handle and the path of a connected QP have in common.
#pragma once

#include <infiniband/verbs.h>

#include "runtime/struct_table.h"

const StructTable<ibv_ah_attr>& AhAttrTable();
