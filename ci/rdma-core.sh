#!/bin/sh
# Unpacks the rdma-core of a Debian suite (bookworm, trixie, sid, or its version: 44, 56) into a new folder, to run on:
#
#   ci/rdma-core.sh trixie rdma-core-56
#   npx verbspec run --driver soft-roce --rdma-core rdma-core-56
#
# It needs Debian's apt and a mirror that apt knows; VERBSPEC_DEBIAN_MIRROR names another one. Nothing is installed.
set -eu
project=$(cd "$(dirname "$0")/.." && pwd)
exec node -r "$project/ci/typescript.js" "$project/drivers/vm/kernels/fetch-rdma-core.ts" "$@"
