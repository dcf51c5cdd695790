# Sourced by run and test: where things are, and one build function. Not a command.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
jobs=$(nproc 2>/dev/null || echo 2)

# Configures and builds a preset quietly; the log is shown only when it fails.
build_preset() {
  local preset=$1; shift
  local log="build/$preset.log"
  mkdir -p build
  if ! { cmake --preset "$preset" ${CROSSPOINT_WERROR:+-DCROSSPOINT_WERROR=ON} && cmake --build --preset "$preset" -j "$jobs" "$@"; } >"$log" 2>&1; then
    tail -n 60 "$log" >&2
    echo "The build of preset '$preset' failed; the whole log is in $log" >&2
    return 1
  fi
}
