#!/bin/busybox sh
# The first program in the VM: loads the modules, puts the host machine's file system in place and goes over to it.
# What it says through fail() is found in the kernel log.

bb=/bin/busybox

fail() {
  echo "<3>verbspec: $1" >/dev/kmsg
  $bb poweroff -f
}

# Fails with what a command said, unless it succeeds.
must() {
  said=$("$@" 2>&1) || fail "$2 failed: $said"
}

$bb mkdir -p /dev /proc /sys /host
$bb mount -t devtmpfs dev /dev
$bb mount -t proc proc /proc
$bb mount -t sysfs sys /sys

while read -r module need; do
  said=$($bb insmod "/modules/$module.ko" 2>&1) || [ "$need" = optional ] || fail "cannot load module $module: $said"
done </modules/order

must $bb mount -t 9p -o ro,trans=virtio,version=9p2000.L,msize=512000,cache=loose host /host
must $bb mount -t tmpfs run /host/run
state=/host/run/verbspec
$bb mkdir -p $state/tmp $state/tmp-work
$bb cp $bb /supervise.sh $state
[ ! -e /link ] || $bb cp /link $state

# What lies in the host machine's /tmp stays visible, in case the project does; what is written there stays in the VM.
$bb mount -t overlay -o "lowerdir=/host/tmp,upperdir=$state/tmp,workdir=$state/tmp-work" tmp /host/tmp ||
  must $bb mount -t tmpfs tmp /host/tmp
$bb chmod 1777 /host/tmp

for folder in dev proc sys; do
  must $bb mount -o move /$folder /host/$folder
done
exec $bb switch_root /host /run/verbspec/busybox sh /run/verbspec/supervise.sh
