#!/bin/sh
# Runs the drivers that use this machine's own devices, on a machine that has soft-RoCE: the device rxe0, GID index 1.
# It makes and removes a soft-RoCE device of its own; the tests run it in the VM.
set -eu
cd "$(dirname "$0")/.."
export JAVA_HOME=/nonexistent # the report is not what is tested here, and takes long in a VM

run() {
  echo "$ verbspec run $*"
  node cli/verbspec.js run --out "$(mktemp -d)/out" "$@"
}

# A few rules show the drivers: all features would take long where everything is emulated. Those of hca wait for
# events and for acks, and the last of them deviates on rxe; with --kernel host the run owns the link of the port.
run --driver hca -d rxe0 -x 1 \
  ibv_req_notify_cq.one-shot ibv_get_cq_event.destroy-waits-for-acks ibv_poll_cq.overrun-cq-unusable
run --driver soft-roce --kernel host ibv_poll_cq.overrun-async-event ibv_get_async_event.event-port-err

if rdma link | grep vspec; then
  echo 'a soft-RoCE device was left behind' >&2
  exit 1
fi
