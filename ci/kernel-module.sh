#!/bin/sh
# Builds rdma_rxe (rxe) or siw out of the sources of a Debian kernel, patched or not, to run the features on it:
#
#   ci/kernel-module.sh 6.1 rxe rdma_rxe.ko my.patch
#   npx verbspec run --driver soft-roce --kernel 6.1 --module rdma_rxe.ko
#
# With --edges before them, the module records which of its code runs (drivers/vm/edges/).
#
# Sources, headers and compiler are the packages of that very kernel, kept in the user's cache; nothing is installed. It
# needs Debian's apt and a mirror that apt knows (VERBSPEC_DEBIAN_MIRROR names another one), and to be root or to be
# allowed user namespaces: the compiler runs in a root folder of its own, so that this machine's libraries do not matter.
set -eu
project=$(cd "$(dirname "$0")/.." && pwd)
exec node -r "$project/ci/typescript.js" "$project/drivers/vm/kernels/build-module.ts" "$@"
