#!/bin/sh
# Judges one commit of a kernel tree, for `git bisect run`: builds the module there and runs rules on it in a VM.
#
#   cd linux && git bisect start BAD GOOD -- drivers/infiniband
#   git bisect run ~/verbspec/ci/templates/bisect.sh KERNEL RULE...
#
# KERNEL is what `verbspec run --kernel` takes: the release, or the folder of the kernel, that the module is built for.
# RULE names rules or man pages, such as ibv_req_notify_cq.one-shot. A program or a finding of `verbspec explore`, a file
# .json or .feature, may stand in place of all rules. These may be set:
#
#   VERBSPEC_BUILD   shell command that builds the module (default: make -s M=drivers/infiniband/sw/rxe modules)
#   VERBSPEC_MODULE  the file that it makes (default: drivers/infiniband/sw/rxe/rdma_rxe.ko)
#
# Exit codes, as git bisect reads them: 0 the rules are kept, 1 they are violated, 125 this commit cannot be judged, as it
# does not build or its module does not load, 128 the bisection ends, as something is wrong with the command.
set -u

build=${VERBSPEC_BUILD:-make -s M=drivers/infiniband/sw/rxe modules}
module=${VERBSPEC_MODULE:-drivers/infiniband/sw/rxe/rdma_rxe.ko}
project=$(cd "$(dirname "$0")/../.." && pwd)

if [ $# -lt 2 ]; then
  echo 'usage: bisect.sh KERNEL RULE...' >&2
  exit 128
fi
kernel=$1
shift

rm -f "$module"
if ! sh -c "$build" || [ ! -f "$module" ]; then
  echo "bisect: $module does not build; this commit is skipped" >&2
  exit 125
fi

out=$(mktemp -d) || exit 128
trap 'rm -rf "$out"' EXIT
trap 'exit 128' HUP INT TERM
case $1 in
  *.json | *.feature) set -- explore --replay "$1" ;;
  *) set -- run "$@" ;;
esac
JAVA_HOME=/nonexistent node "$project/cli/verbspec.js" "$@" --driver soft-roce --kernel "$kernel" --module "$module" \
  --out "$out/run"
case $? in
  0) exit 0 ;;
  1) exit 1 ;;
  3) exit 125 ;;
  *) exit 128 ;;
esac
