#!/usr/bin/env bash
# Compiles the core for 64-bit ARM and runs its tests under emulation: tests/wheels/aarch64.sh FOLDER
# Needs Debian's g++-aarch64-linux-gnu and qemu-user. Python for ARM is Debian's too: its packages are
# unpacked into FOLDER and not installed, and the other packages are wheels for ARM.
set -euo pipefail
for needed in aarch64-linux-gnu-g++ qemu-aarch64 python3.11 apt-get; do
    command -v "$needed" >/dev/null || { echo "there is no $needed: see the head of $0" >&2; exit 2; }
done
cd "$(dirname "$0")/../.."
root=$PWD
mkdir -p "$1"
cd "$1"
here=$PWD

if [ ! -e "$here/ready" ]; then
    mkdir -p apt/lists/partial apt/archives/partial debs sysroot site
    cat >apt.conf <<END
Dir::State::Lists "$here/apt/lists";
Dir::Cache::Archives "$here/apt/archives";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Sandbox::User "root";
Acquire::Languages "none";
END
    APT_CONFIG=$here/apt.conf apt-get update --quiet --quiet
    (cd debs && APT_CONFIG=$here/apt.conf apt-get download --quiet --quiet python3.11-minimal \
        libpython3.11-minimal libpython3.11-stdlib libpython3.11-dev libc6 libgcc-s1 libstdc++6 \
        zlib1g libexpat1 libssl3 libffi8 libbz2-1.0 liblzma5 libsqlite3-0 libcrypt1 libuuid1 media-types)
    for package in debs/*.deb; do dpkg --extract "$package" sysroot; done
    python3.11 -m venv tools
    tools/bin/python -m pip install --quiet cmake ninja "nanobind>=2.4"
    tools/bin/python -m pip install --quiet --target site --only-binary=:all: --python-version 3.11 \
        --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64 \
        --platform manylinux_2_27_aarch64 --platform manylinux_2_28_aarch64 \
        numpy tokenizers safetensors typer rich pytest hypothesis scikit-learn
    touch "$here/ready"
fi

PATH=$here/tools/bin:$PATH cmake -S "$root" -B core -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
    -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DPython_EXECUTABLE="$here/tools/bin/python" \
    -DPython_INCLUDE_DIR="$here/sysroot/usr/include/python3.11" \
    -DCMAKE_CXX_FLAGS="-isystem $here/sysroot/usr/include" >cmake.log
PATH=$here/tools/bin:$PATH cmake --build core >build.log
rm -rf site/cmow
cp -r "$root/src/cmow" site/cmow
rm -f site/cmow/_core*.so
cp core/_core*.so site/cmow/_core.so
mkdir -p site/cmow-0.dist-info  # by which saved models know who wrote them
printf 'Metadata-Version: 2.1\nName: cmow\nVersion: 0\n' >site/cmow-0.dist-info/METADATA

cat >python <<END
#!/bin/sh
exec qemu-aarch64 -L "$here/sysroot" -E PYTHONPATH="$here/site" "$here/sysroot/usr/bin/python3.11" "\$@"
END
chmod +x python
cd "$root"
"$here/python" -c 'from cmow import _core; assert _core.levels() == ["plain", "neon"], _core.levels()'
"$here/python" tests/wheels/levels_agree.py
"$here/python" -m pytest -q -x -p no:cacheprovider tests/core/test_search_kernel.py \
    tests/core/test_document_arrays.py tests/encoder/test_compose.py \
    tests/encoder/test_int4.py tests/text/test_tokenizer.py
