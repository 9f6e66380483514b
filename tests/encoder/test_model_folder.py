import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import cmow
from cmow import durable
from cmow.encoder import Encoder
from cmow.errors import ConfigError, FormatError
from cmow.text import Tokenizer, Vocabulary

TEXTS = ["the dog bit the man", "", "not very good"]


@pytest.fixture
def model(hybrid, tmp_path):
    hybrid.save(tmp_path / "model", training={"corpus": "news | wires", "updates": 7})
    return tmp_path / "model"


def edit(path, **changes):
    config = json.loads(path.read_text())
    path.write_text(json.dumps({**config, **changes}))


def edit_tensors(path, **changes):
    tensors = {**load_file(path), **{name.replace("_", "."): t for name, t in changes.items()}}
    save_file({name: tensor for name, tensor in tensors.items() if tensor is not None}, path)


def test_everything_comes_back(hybrid, model):
    loaded = cmow.load(str(model))
    np.testing.assert_array_equal(loaded.encode(TEXTS), hybrid.encode(TEXTS))
    assert loaded.vocabulary.words == hybrid.vocabulary.words
    np.testing.assert_array_equal(loaded.vocabulary.counts, hybrid.vocabulary.counts)
    assert loaded.tokenizer.kind == "whitespace"
    assert loaded.training == {"corpus": "news | wires", "updates": 7}
    assert repr(loaded) == repr(hybrid)


def test_the_files_are_those_of_the_format(model):
    assert sorted(path.name for path in model.iterdir()) == [
        "README.md",
        "config.json",
        "model.safetensors",
        "modules.json",
        "tokenizer.json",
    ]
    config = json.loads((model / "config.json").read_text())
    assert config["format"], config["format_version"] == ("cmow", 1)
    assert config["flatten"] == "columns"
    assert config["parts"][1] == {"name": "cmow", "composition": "product", "size": 5}
    tensors = load_file(model / "model.safetensors")
    assert {name: tensor.shape for name, tensor in tensors.items()} == {
        "cbow.table": (12, 7),
        "cmow.table": (12, 25),
        "counts": (12,),
    }


@pytest.mark.parametrize("umask", [0o022, 0o027])
def test_all_may_read_the_files_whom_the_umask_lets(hybrid, tmp_path, umask):
    before = os.umask(umask)
    try:
        hybrid.save(tmp_path / "model")
    finally:
        os.umask(before)
    modes = {path.stat().st_mode & 0o777 for path in (tmp_path / "model").iterdir()}
    assert modes == {0o666 & ~umask}


def test_the_card_tells_shape_and_training(model):
    card = (model / "README.md").read_text()
    assert card.startswith("---\nlibrary_name: cmow\n")
    for line in ["| cmow | product | 5 |", r"| corpus | news \| wires |", "| updates | 7 |"]:
        assert line in card.splitlines()
    assert "12 words, split by `whitespace`" in card


def test_saving_a_loaded_model_keeps_its_training_settings(model, tmp_path):
    cmow.load(model).save(tmp_path / "again", storage="int8")
    assert cmow.load(tmp_path / "again").training["updates"] == 7


def test_any_tokenizer_is_saved(sub_words, tmp_path):
    words = Tokenizer.words(Vocabulary(["dog", "."]), lowercase=True)
    for number, tokenizer in enumerate([sub_words, words]):
        encoder = Encoder.initialize(tokenizer, "product(3)")
        encoder.save(tmp_path / str(number))
        loaded = cmow.load(tmp_path / str(number))
        np.testing.assert_array_equal(loaded.encode(["Dog. dogs"]), encoder.encode(["Dog. dogs"]))
        assert loaded.tokenizer.kind == tokenizer.kind


def test_an_empty_vocabulary_survives(tmp_path):
    encoder = Encoder.initialize(Vocabulary([]), "sum(3)+product(2)")
    for storage in ("float32", "int8", "int4"):
        encoder.save(tmp_path / storage, storage=storage)
        np.testing.assert_array_equal(
            cmow.load(tmp_path / storage).encode(["a"]), encoder.encode(["a"])
        )


# ---- damage -------------------------------------------------------------------------------------


def truncate(path, keep):
    path.write_bytes(path.read_bytes()[:keep])


def break_header(path):
    data = bytearray(path.read_bytes())
    data[8] = ord("#")
    path.write_bytes(data)


def with_nan(path):
    table = load_file(path)["cmow.table"]
    table[4, 2] = np.nan
    edit_tensors(path, cmow_table=table)


DAMAGES = {
    "no config": ("config.json", Path.unlink, "missing"),
    "no weights": ("model.safetensors", Path.unlink, "missing"),
    "no tokenizer": ("tokenizer.json", Path.unlink, "missing"),
    "config is no JSON": ("config.json", lambda p: truncate(p, 50), "not valid JSON"),
    "config is no object": ("config.json", lambda p: p.write_text("[]"), "not the configuration"),
    "another format": ("config.json", lambda p: edit(p, format="bert"), "not the configuration"),
    "newer": ("config.json", lambda p: edit(p, format_version=3), "newer .* upgrade"),
    "odd version": ("config.json", lambda p: edit(p, format_version="x"), "'x'"),
    "odd fields": ("config.json", lambda p: edit(p, parts=[], storage="int2"), "parts = .*int2"),
    "odd flattening": ("config.json", lambda p: edit(p, flatten="rows"), "flatten = 'rows'"),
    "odd tokenizer": ("tokenizer.json", lambda p: truncate(p, 40), ""),
    "cut in the data": ("model.safetensors", lambda p: truncate(p, -3), "not a complete"),
    "cut in the header": ("model.safetensors", lambda p: truncate(p, 60), "not a complete"),
    "empty weights": ("model.safetensors", lambda p: truncate(p, 0), "not a complete"),
    "broken header": ("model.safetensors", break_header, "not a complete"),
    "NaN": ("model.safetensors", with_nan, "'cmow': NaN or infinity in row 4"),
    "no table": (
        "model.safetensors",
        lambda p: edit_tensors(p, cmow_table=None),
        "'cmow.table' is missing",
    ),
    "wrong shape": (
        "model.safetensors",
        lambda p: edit_tensors(p, cmow_table=np.zeros((12, 16), np.float32)),
        r"\(12, 16\) where config.json wants float32 \(12, 25\)",
    ),
    "wrong type": (
        "model.safetensors",
        lambda p: edit_tensors(p, cbow_table=np.zeros((12, 7), np.float16)),
        "float16",
    ),
    "foreign type": (
        "model.safetensors",
        lambda p: edit_tensors(p, cbow_table=np.zeros((12, 7), np.float64)),
        "F64",
    ),
    "too few counts": (
        "model.safetensors",
        lambda p: edit_tensors(p, counts=np.zeros(3, np.int64)),
        "counts",
    ),
}


@pytest.mark.parametrize(("name", "damage", "fault"), DAMAGES.values(), ids=DAMAGES)
def test_damage_is_told_with_the_file(model, name, damage, fault):
    damage(model / name)
    with pytest.raises(FormatError, match=f"{name}.*{fault}"):
        cmow.load(model)


def test_negative_counts(model):
    edit_tensors(model / "model.safetensors", counts=np.full(12, -1))
    with pytest.raises(FormatError, match="-1"):
        cmow.load(model)


def test_another_models_tokenizer_is_noticed(model):
    Tokenizer.whitespace(Vocabulary(["dog"])).save(model / "tokenizer.json")
    with pytest.raises(FormatError, match=r"tokenizer.json"):
        cmow.load(model)


@pytest.mark.parametrize("storage", ["float32", "float16", "int8", "int4"])
def test_every_kind_of_part_is_kept(tokenizer, tmp_path, storage):
    shape = "sum(3)+product(2)+reversed(3)+windows(2,decay=0.7)+mean(windows(3))+mean(sum(2))"
    encoder = Encoder.initialize(tokenizer, shape, sigma=0.1)
    encoder.save(tmp_path / "model", storage=storage)
    again = cmow.load(tmp_path / "model")
    assert str(again.shape) == shape
    words = encoder.vocabulary.words
    texts = [" ".join(words[:5]), words[0], ""]
    precision = {"float32": 0, "float16": 1e-2, "int8": 5e-2, "int4": 0.5}[storage]
    np.testing.assert_allclose(again.encode(texts), encoder.encode(texts), atol=precision)


@pytest.mark.parametrize("shape", ["mean", "product"])
def test_unknown_parts_are_refused(model, shape):
    edit(model / "config.json", parts=[{"name": "cbow", "composition": shape, "size": 100}])
    with pytest.raises(FormatError, match=shape):
        cmow.load(model)


def test_every_flipped_byte_is_noticed_or_harmless(model):
    weights = model / "model.safetensors"
    data = weights.read_bytes()
    for place in range(0, len(data), 7):
        damaged = bytearray(data)
        damaged[place] ^= 0xFF
        weights.write_bytes(damaged)
        with suppress(FormatError):
            assert np.isfinite(cmow.load(model).encode(TEXTS)).all()


def test_a_missing_folder_and_a_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        cmow.load(tmp_path / "nowhere")
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError):
        cmow.load(tmp_path / "file")


# ---- replacing ----------------------------------------------------------------------------------


def test_other_files_of_the_folder_are_kept(model, tokenizer):
    (model / "checkpoints").mkdir()
    (model / "checkpoints" / "last").write_text("17")
    (model / "link").symlink_to("history.jsonl")
    (model / "history.jsonl").write_text("one\n")
    with (model / "history.jsonl").open("a") as history:
        other = Encoder.initialize(tokenizer, "sum(2)")
        other.save(model)
        history.write("two\n")
    assert cmow.load(model).dim == 2
    assert (model / "checkpoints" / "last").read_text() == "17"
    assert (model / "link").read_text() == "one\ntwo\n"
    assert [path.name for path in model.parent.iterdir()] == ["model"]


def test_a_mapped_model_outlives_its_replacement(hybrid, model, tokenizer):
    loaded = cmow.load(model)
    Encoder.initialize(tokenizer, "sum(2)").save(model)
    np.testing.assert_array_equal(loaded.encode(TEXTS), hybrid.encode(TEXTS))
    loaded.save(model)
    np.testing.assert_array_equal(cmow.load(model).encode(TEXTS), hybrid.encode(TEXTS))


def test_what_is_no_model_is_not_replaced(hybrid, tmp_path, monkeypatch):
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "love.txt").write_text("dear")
    with pytest.raises(ConfigError, match="neither empty nor a model"):
        hybrid.save(tmp_path / "letters")
    with pytest.raises(ConfigError, match="is a file"):
        hybrid.save(tmp_path / "letters" / "love.txt")
    (tmp_path / "empty").mkdir()
    hybrid.save(tmp_path / "empty")
    monkeypatch.chdir(tmp_path / "empty")
    with pytest.raises(ConfigError, match="current folder"):
        hybrid.save(".")


def test_a_link_to_a_folder_stays_a_link(hybrid, model, tmp_path):
    (tmp_path / "current").symlink_to("model")
    hybrid.part("cbow").save(tmp_path / "current")
    assert (tmp_path / "current").is_symlink()
    assert cmow.load(model).dim == 7


def test_a_failed_save_leaves_the_old_model(hybrid, model):
    with pytest.raises(TypeError):
        hybrid.part("cbow").save(model, training={"not for JSON": object()})
    assert cmow.load(model).dim == hybrid.dim
    assert [path.name for path in model.parent.iterdir()] == ["model"]


def test_leftovers_of_killed_saves_are_removed_but_not_a_running_one(hybrid, model):
    stale, running = (model.with_name(f".model.{digit * 16}.new") for digit in "01")
    foreign = model.with_name(".model.old.new")
    for folder in (stale, running, foreign):
        folder.mkdir()
        (folder / "model.safetensors").touch()
    lock = os.open(running, os.O_RDONLY)
    durable.fcntl.flock(lock, durable.fcntl.LOCK_EX)
    hybrid.save(model)
    os.close(lock)
    assert not stale.exists()
    assert running.exists()
    assert foreign.exists()


def test_two_renames_where_names_cannot_be_exchanged(hybrid, model, monkeypatch):
    monkeypatch.setattr(durable.ctypes, "CDLL", lambda *_, **__: object())
    hybrid.part("cbow").save(model)
    assert cmow.load(model).dim == 7
    assert [path.name for path in model.parent.iterdir()] == ["model"]


KILLED = """
import os, signal, sys
import numpy as np
import cmow
from cmow.encoder import Encoder, Part, PartShape
from cmow.text import Tokenizer, Vocabulary

path = sys.argv[1]
tokenizer = Tokenizer.whitespace(Vocabulary(["a"]))
SHAPE = PartShape.parse("sum(3)")
encoders = [
    Encoder(tokenizer, [Part("cbow", SHAPE, np.full((1, 3), value, np.float32))])
    for value in (1, 2)
]
encoders[0].save(path)
expected, steps, died = 1, 0, True
while died:
    child = os.fork()
    if child == 0:
        left = steps

        def die_at_the_right_moment(event, arguments):
            global left
            if event.startswith(("open", "os.", "shutil.", "ctypes.")) and event != "os.kill":
                left -= 1
                if left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(die_at_the_right_moment)
        encoders[2 - expected].save(path)
        os._exit(0)
    died = os.WIFSIGNALED(os.waitpid(child, 0)[1])
    found = int(cmow.load(path).encode(["a"])[0, 0])
    assert found in (1, 2), found
    assert died or found == 3 - expected
    expected = found
    steps += 1
print(steps)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs fork and the exchange of names")
def test_a_save_killed_at_any_step_leaves_the_old_or_the_new_model(tmp_path):
    run = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path / "model")], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert int(run.stdout) > 20
    assert cmow.load(tmp_path / "model").dim == 3
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_loading_while_another_process_saves(tmp_path):
    """Each load sees the files of one save, never a mixture."""
    script = """
import os, sys, numpy as np
from itertools import cycle
from cmow.encoder import Encoder, Part, PartShape
from cmow.text import Tokenizer, Vocabulary
for n in cycle(range(1, 9)):
    words = [str(i) for i in range(n)]
    part = Part("cbow", PartShape.parse(f"sum({n})"), np.full((n, n), n, np.float32))
    Encoder(Tokenizer.whitespace(Vocabulary(words)), [part]).save(sys.argv[1])
    if os.path.exists(sys.argv[2]):
        break
    print(n, flush=True)
"""
    model, enough = tmp_path / "model", tmp_path / "enough"
    saver = subprocess.Popen(
        [sys.executable, "-c", script, str(model), str(enough)], stdout=subprocess.PIPE
    )
    saver.stdout.readline()
    seen = set()
    try:
        while len(seen) < 8:
            encoder = cmow.load(model)
            assert len(encoder.vocabulary) == encoder.dim == encoder.encode(["0"])[0, 0]
            seen.add(encoder.dim)
    finally:
        enough.touch()
        saver.communicate()
    assert saver.returncode == 0


def test_several_processes_may_save_at_once(tmp_path):
    script = """
import sys, numpy as np
from cmow.encoder import Encoder, Part, PartShape
from cmow.text import Tokenizer, Vocabulary
n = int(sys.argv[2])
part = Part("cbow", PartShape.parse(f"sum({n})"), np.full((1, n), n, np.float32))
encoder = Encoder(Tokenizer.whitespace(Vocabulary(["a"])), [part])
for _ in range(20):
    encoder.save(sys.argv[1])
"""
    command = [sys.executable, "-c", script, str(tmp_path / "model")]
    savers = [
        subprocess.Popen([*command, str(n)], stderr=subprocess.PIPE, text=True) for n in (2, 3)
    ]
    for saver in savers:
        assert saver.communicate()[1] == ""
        assert saver.returncode == 0
    encoder = cmow.load(tmp_path / "model")
    assert encoder.encode(["a"])[0, 0] == encoder.dim
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


# ---- memory mapping -----------------------------------------------------------------------------


def mapped(file):
    """The kernel's account, in kB, of the memory that stands for a file."""
    account, ours = {}, False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        key, _, value = line.partition(":")
        if " " in key:
            ours = line.endswith(str(file))
        elif ours and value.endswith("kB"):
            account[key] = account.get(key, 0) + int(value.split()[0])
    return account


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="needs Linux")
def test_tables_stay_in_pages_of_the_file_that_processes_share(tmp_path):
    vocabulary = Vocabulary([str(n) for n in range(2000)])
    Encoder.initialize(vocabulary, "hybrid-800").save(tmp_path / "model")
    weights = tmp_path / "model" / "model.safetensors"
    encoder = cmow.load(tmp_path / "model", verify=True)  # reads all of it
    encoder.encode(["1 2 3"])
    script = "import cmow, sys; e = cmow.load(sys.argv[1], verify=True); print(flush=True); input()"
    other = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "model")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    other.stdout.readline()
    account = mapped(weights)
    other.communicate(b"\n")
    assert account["Size"] * 1024 >= weights.stat().st_size
    assert account["Private_Dirty"] == account["Shared_Dirty"] == account["Anonymous"] == 0
    assert account["Shared_Clean"] > 0.9 * account["Size"]


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="needs Linux")
def test_opening_reads_no_table(tmp_path):
    vocabulary = Vocabulary([str(n) for n in range(2000)])
    Encoder.initialize(vocabulary, "hybrid-800").save(tmp_path / "model")
    encoder = cmow.load(tmp_path / "model")
    account = mapped(tmp_path / "model" / "model.safetensors")
    assert account["Rss"] < 0.1 * account["Size"]
    assert encoder.dim == 800
