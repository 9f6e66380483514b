"""An integration whose library is missing says what to install, and there is such an extra."""

import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
EXTRAS = {  # by the module of the integration: the library's and the extra
    "gensim": ("gensim", "gensim"),
    "haystack": ("haystack", "haystack"),
    "langchain": ("langchain_core", "langchain"),
    "llama_index": ("llama_index", "llama-index"),
    "mteb": ("mteb", "mteb"),
    "onnx": ("onnx", "onnx"),
    "sentence_transformers": ("sentence_transformers", "sentence-transformers"),
    "sklearn": ("sklearn", "sklearn"),
    "spacy": ("spacy", "spacy"),
}


@pytest.mark.parametrize("module", EXTRAS)
def test_a_missing_library_is_named_with_its_extra(module):
    library, extra = EXTRAS[module]
    script = f"import sys; sys.modules[{library!r}] = None; import cmow.integrations.{module}"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    last = done.stderr.splitlines()[-1]
    assert last.startswith("cmow.errors.MissingExtraError: this needs ")
    assert last.endswith(f": pip install 'cmow[{extra}]'")
    assert f"\n{extra} = [" in PROJECT.read_text("utf-8")
