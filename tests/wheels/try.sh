#!/usr/bin/env bash
# Installs a wheel into an empty environment and tests it there, with no compiler in sight:
# tests/wheels/try.sh PYTHON WHEEL
set -euo pipefail
python=$1 wheel=$(realpath "$2")
root=$(cd "$(dirname "$0")/../.." && pwd)
place=$(mktemp -d)
trap '/bin/rm -rf "$place"' EXIT
"$python" -m venv "$place/venv"
cp -r "$root/tests" "$place/tests"
cd "$place"
export PATH=$place/venv/bin
! command -v cc c++ gcc g++ clang
pip install --quiet --disable-pip-version-check "$wheel" pytest hypothesis scikit-learn "pyarrow>=16"
python tests/wheels/first_steps.py
python tests/wheels/levels_agree.py
python -m pytest -q -x -p no:cacheprovider tests/core/test_levels.py tests/core/test_search_kernel.py \
    tests/core/test_document_arrays.py tests/encoder/test_compose.py tests/encoder/test_int4.py \
    tests/text/test_tokenizer.py tests/text/test_counter.py
echo "$(python --version): ${wheel##*/} works"
