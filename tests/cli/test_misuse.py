"""What users get wrong: exit code 2, one line that tells it, nothing else."""

import subprocess
import sys

import pytest
from processes import files_in, run

MISUSE = {
    "encode": "Missing argument 'MODEL'",
    "encod model": "No such command 'encod': did you mean encode? (see 'cmow --help')",
    "neighbor {model} dog": "No such command 'neighbor': did you mean neighbors?",
    "probing bild x y": "No such command 'bild': did you mean build?",
    "encode {model} {text}s": "texts.txts: No such file or directory: did you mean texts.txt?",
    "info englsh": "englsh: No such file or directory: did you mean english?",
    "encode {model}l {text}": "modell: No such file or directory: did you mean model?",
    "encode {model} {text} --formt tsv": "No such option: --formt: did you mean --format?",
    "train {text} {missing} --learnin-rate 1": "did you mean --learning-rate?",
    "encode {missing} {text}": "missing: No such file or directory",
    "encode {text} {text}": "texts.txt: a file, and a model is a folder",
    "encode {folder} {text}": "config.json is missing: not a model folder",
    "encode {model} {missing}": "missing: No such file or directory",
    "encode {model} {text} --part fish": "no part 'fish': this encoder has cbow, cmow",
    "encode {model} {text} --normalize some": "'some' is not one of 'all', 'parts'",
    "encode {model} {text} --threads 0": "'--threads'",
    "encode {model} {text} --threads many": "'--threads'",
    "encode {model} {text} --fast": "No such option: --fast",
    "encode {model} {text} -o {missing}/x.npy": "missing: no such folder",
    "encode {model} {text} -o {text}/x.npy": "no such folder",
    "encode {model} {text} -o {folder}": "folder: Is a directory",
    "encode {model} {text} -o {folder}/x.bin": "'bin' is no known format: give --format",
    "encode {model} {text} -o {folder}/x.bin --format csv": "'csv' is not one of",
    "encode {model} {bad} -o {folder}/x.npy": "1: not UTF-8 (byte 0xff at position 1)",
    "encode {model} {cut} -o {folder}/x.npy": "the gz data ends too early",
    "info": "Missing argument 'MODEL'",
    "info {missing}": "missing: No such file or directory",
    "similarity {model} the": "give two texts, or --pairs FILE",
    "similarity {model} the cat --pairs {text}": "give two texts, or --pairs FILE",
    "similarity {model} the \udcff": "is not UTF-8",
    "similarity {model} --pairs {text}": "texts.txt:1: 1 field: write two texts with a tab",
    "similarity {model} --pairs {missing}": "missing: No such file or directory",
    "neighbors {model} house": "'house' is not in the vocabulary",
    "neighbors {model} \udcff": "is not UTF-8",
    "neighbors {model} dog --count 0": "'--count'",
    "neighbors {model} dog --part fish": "no part 'fish'",
    "init hybrid-800 {missing}": "Missing option '--vocabulary'",
    "init hybrid-8 --vocabulary {words} {missing}": "unknown shape 'hybrid-8': choose from",
    "init product(99) --vocabulary {words} {missing}": "99",
    "init cbow-400 --vocabulary {missing} {missing}": "missing: No such file or directory",
    "init cbow-400 --vocabulary {text} {missing}": "'the cat' holds white space",
    "init cbow-400 --vocabulary {words} {model}": "model exists already",
    "init cbow-400 --vocabulary {words} {missing} --initialization zero": "'zero' is not one of",
    "convert {model} {missing}": "Missing option '--storage'",
    "convert {model} {missing} --storage int2": "'int2' is not one of",
    "convert {model} {model} --storage int8": "model exists already",
    "--loud": "No such option: --loud",
}


@pytest.fixture
def places(model, tmp_path):
    (tmp_path / "folder").mkdir()
    contents = {
        "texts.txt": b"the cat\nthe dog\n",
        "words.txt": b"the\ncat\n",
        "bad.txt": b"\xff\n",
        "cut.gz": b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03",
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    return {
        "model": model,
        "missing": tmp_path / "missing",
        "folder": tmp_path / "folder",
        "text": tmp_path / "texts.txt",
        "words": tmp_path / "words.txt",
        "bad": tmp_path / "bad.txt",
        "cut": tmp_path / "cut.gz",
    }


@pytest.mark.parametrize("command", MISUSE)
def test_misuse(cmow, places, command):
    before = files_in(places["folder"])
    code, shown, told = cmow(*(word.format(**places) for word in command.split()))
    assert code == 2
    assert shown == ""
    assert told.startswith("cmow: ")
    assert told.endswith("\n")
    assert told.count("\n") == 1
    assert MISUSE[command] in told
    assert files_in(places["folder"]) == before
    assert not places["missing"].exists()


def test_misuse_in_a_real_process(places):
    told = run("encode", places["model"], places["missing"])
    message = f"cmow: {places['missing']}: No such file or directory\n"
    assert (told.returncode, told.stdout, told.stderr.decode()) == (2, b"", message)


def test_bugs_keep_their_traceback(cmow, monkeypatch, model):
    monkeypatch.setattr("cmow.cli.info.size_on_disk", lambda _: 1 / 0)
    monkeypatch.setattr(sys, "argv", ["cmow", "info", str(model)])
    with pytest.raises(ZeroDivisionError):
        cmow("info", model)


def test_interruption_is_quiet(cmow, monkeypatch, model):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("cmow.cli.info.size_on_disk", interrupted)
    assert cmow("info", model) == (130, "", "")


def test_help_needs_nothing_heavy():
    heavy = "{'numpy', 'tokenizers', 'safetensors', 'torch'}"
    code = f"import sys, cmow.cli; sys.exit(', '.join({heavy} & sys.modules.keys()) or 0)"
    subprocess.run([sys.executable, "-c", code], check=True)
