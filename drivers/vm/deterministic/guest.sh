#!/bin/busybox sh
# The only script of a deterministic VM: makes the device, runs the programs, tells their results on the second serial
# port, and powers off. Nothing comes in from outside. What it says through fail() is found in the kernel log.

bb=/bin/busybox
export PATH=/bin LANG=C LD_LIBRARY_PATH=/lib

fail() {
  echo "<3>verbspec: $1" >/dev/kmsg
  $bb poweroff -f
}

until_true() {
  until "$@" 2>/dev/null; do $bb usleep 10000; done
}

$bb mkdir -p /dev /proc /sys /tmp
$bb mount -t devtmpfs dev /dev
$bb mount -t proc proc /proc
$bb mount -t sysfs sys /sys
$bb mount -t tmpfs tmp /tmp
ulimit -l unlimited

while read -r module need; do
  said=$($bb insmod "/modules/$module.ko" 2>&1) || [ "$need" = optional ] || fail "cannot load module $module: $said"
done </modules/order

read -r rdma_device link_type gid_index </link
port=/sys/class/infiniband/$rdma_device/ports/1

usable() {
  read -r state <$port/state && [ "$state" = '4: ACTIVE' ] && read -r gid <$port/gids/$gid_index &&
    [ "$gid" != 0000:0000:0000:0000:0000:0000:0000:0000 ] && [ -c /dev/infiniband/uverbs0 ]
}

$bb ip link set lo up
$bb ip address add 192.0.2.1/24 dev dummy0 && $bb ip link set dummy0 up || fail 'cannot set up the interface dummy0'
said=$(rdma link add "$rdma_device" type "$link_type" netdev dummy0 2>&1) || fail "cannot add the link: $said"
until_true usable

while read -r seed niceness; do
  noise "$seed" "$niceness" &
done </noises

said=$(runner /programs /tmp/answers 2>&1) || fail "the programs were not run: $said"
echo "<6>verbspec: the programs have run" >/dev/kmsg
$bb stty -F /dev/ttyS1 raw && $bb gzip -c /tmp/answers >/dev/ttyS1
$bb poweroff -f
