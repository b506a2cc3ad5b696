#!/bin/sh
# Runs the drivers that use this machine's own devices, on a machine that has soft-RoCE: the device rxe0, GID index 1.
# It makes and removes a soft-RoCE device of its own; the tests run it in the VM.
set -eu
cd "$(dirname "$0")/../.."
export JAVA_HOME=/nonexistent # the report is not what is tested here, and takes long in a VM

folder=$(mktemp -d)

run() {
  name=$1
  shift
  echo "$ verbspec run $*"
  node cli/verbspec.js run --out "$folder/$name" "$@"
}

node cli/verbspec.js doctor hca

# A few rules show the drivers: all features would take long where everything is emulated. Those of hca wait for
# events and for acks, and the last of them deviates on rxe; with --kernel host the run owns the link of the port.
run hca --driver hca -d rxe0 -x 1 \
  ibv_req_notify_cq.one-shot ibv_get_cq_event.destroy-waits-for-acks ibv_poll_cq.overrun-cq-unusable
run soft-roce --driver soft-roce --kernel host ibv_poll_cq.overrun-async-event ibv_get_async_event.event-port-err

# A GID that the device does not have is refused, and nothing runs.
echo '$ verbspec run --driver hca -x 200'
code=0
node cli/verbspec.js run --out "$folder/gid" --driver hca -d rxe0 -x 200 ibv_req_notify_cq.one-shot || code=$?
test "$code" = 3

# The same device, as that of another machine.
echo '$ verbspec run --driver hca --host ...'
node -r ./ci/typescript.js ci/on-rxe/remote-on-rxe.ts -d rxe0 -x 1 --out "$folder/remote" \
  ibv_req_notify_cq.one-shot ibv_get_cq_event.destroy-waits-for-acks

# The device has lost nothing since, is described in full, and can be described without its addresses.
for told in '"gidType": "RoCE v2"' '"name": "rdma_rxe"' '"buildId"' '"taint"'; do
  grep -q "$told" "$folder/hca/verdicts.json" || { echo "the verdicts lack $told" >&2 && exit 1; }
done
run redacted --driver hca -d rxe0 -x 1 --redact --expect-capabilities "$folder/hca/verdicts.json" \
  ibv_poll_cq.field-wr-id
port=/sys/class/infiniband/rxe0/ports/1
for file in /sys/class/infiniband/rxe0/node_guid $port/gids/0 $port/gids/1; do
  grep -rqF "$(cat $file)" "$folder/hca/verdicts.json" "$folder/hca/trace" && shown=yes
  if grep -rF "$(cat $file)" "$folder/redacted"; then
    echo "--redact has left $file" >&2
    exit 1
  fi
done
test "${shown-}" = yes

if rdma link | grep vspec; then
  echo 'a soft-RoCE device was left behind' >&2
  exit 1
fi
