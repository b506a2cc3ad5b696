#!/bin/sh
# Lets the host process run on an addon with AddressSanitizer, in the VM:
#
#   ci/sanitizer/asan.sh fuzz [SECONDS [SEED]]   fuzzes the host process
#   ci/sanitizer/asan.sh run [OPTION...]         runs the features, with options of `verbspec run`
#
# A report ends the host process, and fails. Leaks are not looked for: a host process ends at once, and what belongs to
# blocked verbs then is never freed on purpose. Its build lies in build/asan; the usual one stays as it is.
set -eu
cd "$(dirname "$0")/../.."
project=$PWD
folder=$project/build/asan
typescript="$project/ci/typescript.js"

build() {
  node ci/setup.js hca
  mkdir -p "$folder/build"
  rm -rf "$folder/build/host"
  cp -r build/host "$folder/build/"
  [ "$folder/native/build/Release/verbs.node" -nt native/build/Release/verbs.node ] && return
  rm -rf "$folder/native"
  cp -r native "$folder/"
  rm -rf "$folder/native/build"
  ln -sfn "$project/node_modules" "$folder/node_modules"
  flags='-fsanitize=address -fno-omit-frame-pointer -g'
  # Node comes with the headers that the addon is built against; without them they would have to be downloaded.
  nodedir=$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")
  if [ -f "$nodedir/include/node/node_api.h" ]; then export npm_config_nodedir="$nodedir"; fi
  echo 'building the addon with AddressSanitizer'
  CXXFLAGS="$flags" LDFLAGS="$flags" npm run --loglevel=error build:native -- -C "$folder/native" >"$folder/build.log" 2>&1 ||
    { cat "$folder/build.log" >&2; exit 3; }
}

case ${1-} in
  fuzz)
    build
    exec node -r "$typescript" drivers/vm/in-vm.ts -- \
      "$(command -v node)" -r "$typescript" ci/sanitizer/fuzz-host.ts --asan --seconds "${2-120}" --seed "${3-$(date +%s)}"
    ;;
  run)
    build
    shift
    exec node cli/verbspec.js run --driver ci/sanitizer/asan-driver.ts "$@"
    ;;
  *)
    sed -n 's/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
