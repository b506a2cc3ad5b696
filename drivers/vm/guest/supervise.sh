# The only lasting program of the VM: makes the RDMA device, then starts and kills host processes on demand.
# It obeys lines of the port "control" and reports there; see control.ts. When that port closes, the VM ends.

state=/run/verbspec
bb=$state/busybox

export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LANG=C.UTF-8
ulimit -l unlimited

fail() {
  echo "<3>verbspec: $1" >/dev/kmsg
  $bb poweroff -f
}

until_true() {
  until "$@" 2>/dev/null; do $bb usleep 10000; done
}

port_named() {
  for port in /sys/class/virtio-ports/*; do
    [ "$($bb cat "$port/name")" = "$1" ] && device=/dev/${port##*/} && [ -c "$device" ] && return
  done
  false
}

[ -e $state/link ] && read -r rdma_device link_type gid_index <$state/link
rdma_port=/sys/class/infiniband/$rdma_device/ports/1

link_active() {
  read -r state_line <$rdma_port/state && [ "$state_line" = '4: ACTIVE' ]
}

link_inactive() {
  ! link_active
}

link_usable() {
  link_active && read -r gid <$rdma_port/gids/$gid_index && [ "$gid" != 0000:0000:0000:0000:0000:0000:0000:0000 ] &&
    [ -c /dev/infiniband/uverbs0 ]
}

# Of the table's thousand entries the link fills the first two.
gids() {
  $bb cat $rdma_port/gids/[0-7]
}

link_restored() {
  link_usable && { [ ! -e $state/gids ] || [ "$(gids)" = "$($bb cat $state/gids)" ]; }
}

# set_link down|up: reports when the port has followed.
set_link() {
  case $1 in
    down)
      link_active && gids >$state/gids
      $bb ip link set dummy0 down
      until_true link_inactive
      ;;
    up)
      $bb ip link set dummy0 up
      until_true link_restored
      ;;
  esac
  echo "link $1" >&4
}

# run MARKER ROLE WORD...: a whole life of one process.
run() {
  marker=$1 role=$2
  shift 2
  for word; do
    shift
    set -- "$@" "$(printf %s "${word#=}" | $bb base64 -d)"
  done
  : >$state/stderr
  if [ "$role" = host ]; then
    $bb setsid "$@" <&3 >&3 2>$state/stderr 3>&- 4>&- &
  else
    $bb setsid "$@" </dev/null >&3 2>&1 3>&- 4>&- &
  fi
  process=$!
  echo $process >$state/process
  wait $process 2>/dev/null
  status=$?
  # Children that it has left behind hold the port too.
  kill -KILL -- -$process 2>/dev/null
  printf %s "$marker" >&3
  echo "exit $marker $status $($bb tail -c 4096 $state/stderr | $bb base64 -w 0)" >&4
}

# The process may be between its birth and its setsid, when it has no group yet.
kill_process() {
  until_true [ -s $state/process ]
  read -r process <$state/process
  kill -KILL -- -"$process" 2>/dev/null || kill -KILL "$process" 2>/dev/null
}

# Of no thread does head print more than the innermost frames of its stack.
tell_threads() {
  until_true [ -s $state/process ]
  read -r process <$state/process
  cd "/proc/$process/task" || return
  said=$($bb head -v -n 5 */comm */stat */syscall */wchan */stack 2>/dev/null | $bb base64 -w 0)
  echo "threads $process $said" >&4
}

$bb hostname verbspec
$bb mkdir -p /dev/shm
$bb mount -t tmpfs shm /dev/shm
$bb ln -sfn /proc/self/fd /dev/fd
$bb ip link set lo up
$bb ip address add 192.0.2.1/24 dev dummy0 && $bb ip link set dummy0 up || fail 'cannot set up the interface dummy0'

until_true port_named rpc
exec 3<>"$device"
until_true port_named control
exec 4<>"$device"

if [ -e $state/link ]; then
  said=$(rdma link add "$rdma_device" type "$link_type" netdev dummy0 2>&1) ||
    fail "cannot add the link $rdma_device: $said"
  until_true link_usable
fi

# Writing waits until the other end of the port is there. If it never comes, it has gone before this VM was up.
{ echo ready >&4 && : >$state/ready; } &
tries=0
until [ -e $state/ready ]; do
  tries=$((tries + 1))
  [ $tries -lt 500 ] || $bb poweroff -f
  $bb usleep 10000
done

while read -r order arguments <&4; do
  case $order in
    start)
      $bb rm -f $state/process
      # The words are base64 and hexadecimal digits: nothing for the shell to expand.
      run $arguments &
      ;;
    kill) kill_process & ;;
    threads) tell_threads & ;;
    link) set_link $arguments & ;;
  esac
done
$bb poweroff -f
