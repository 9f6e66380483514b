#!/usr/bin/env bash
# Tests with a core that notices misuse of memory and undefined behaviour (address) or data races
# (thread), at some instruction levels, side by side: tests/sanitize.sh PYTHON SANITIZER LEVELS TESTS...
# LEVELS are names, or "all". The core is built in build/sanitize, with an environment of its own
# that borrows the packages of PYTHON's. A report anywhere, also in a process that a test started,
# fails.
set -euo pipefail
cd "$(dirname "$0")/.."
python=$1 sanitizer=$2 levels=$3
shift 3
here=$PWD/build/sanitize/$sanitizer
flags="-O1 -g1 -fno-omit-frame-pointer -fno-sanitize-recover=all"
case $sanitizer in
    address)
        flags+=" -fsanitize=address,undefined"
        library=libasan.so
        ;;
    thread)
        flags+=" -fsanitize=thread"
        library=libtsan.so
        ;;
    *)
        echo "$sanitizer: choose address or thread" >&2
        exit 2
        ;;
esac

if [ ! -x "$here/bin/python" ]; then
    "$python" -m venv "$here"
    "$python" -c 'import site; print(site.getsitepackages()[0])' \
        >"$("$here/bin/python" -c 'import site; print(site.getsitepackages()[0])')/borrowed.pth"
fi
"$here/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall . \
    --config-settings=build-dir="$here-core" --config-settings=install.strip=false \
    --config-settings=cmake.build-type=None --config-settings=cmake.define.CMOW_OPTIMISATION=-O1 \
    --config-settings=cmake.define.CMAKE_CXX_FLAGS="$flags"

# The runtime has to be there before Python is, and the library of exceptions before the runtime asks.
compiler=${CXX:-c++}
export LD_PRELOAD="$("$compiler" -print-file-name=$library) $("$compiler" -print-file-name=libstdc++.so)"
# Python does not free all that it has allocated. The log is a file because pytest swallows the rest.
common="halt_on_error=1:print_stacktrace=1:log_path=$here/report"
export ASAN_OPTIONS="$common:detect_leaks=0:allocator_may_return_null=1"
export UBSAN_OPTIONS="$common"
export TSAN_OPTIONS="$common:ignore_noninstrumented_modules=1"
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

rm -f "$here"/report.*
if [ "$levels" = all ]; then
    levels=$("$here/bin/python" -c 'from cmow import _core; print(*_core.levels())')
fi
# What limits or measures memory, and what compares the bits of optimised kernels, does not go
# together with sanitizers; nor do processes that torch has started.
run() {
    local log=$here/$1.log
    if CMOW_LEVEL=$1 "$here/bin/python" -m pytest -p no:cacheprovider --basetemp "$here/$1" \
        --ignore tests/core/test_starvation.py --ignore tests/corpus/test_memory.py \
        --ignore tests/training/test_fingerprints.py --ignore tests/training/test_torchrun.py \
        --ignore tests/training/test_learning.py "${@:2}" >"$log" 2>&1; then
        echo "$sanitizer, $1: $(tail -n 1 "$log")"
    else
        tail -n 40 "$log"
        return 1
    fi
}

processes=()
for level in $levels; do
    run "$level" "$@" &
    processes+=($!)
done
for process in "${processes[@]}"; do
    wait "$process" || failed=1
done
if compgen -G "$here/report.*" >/dev/null; then
    cat "$here"/report.*
    failed=1
fi
exit "${failed:-0}"
