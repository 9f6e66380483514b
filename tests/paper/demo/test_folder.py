import pytest

from cmow.errors import ConfigError
from cmow.paper.demo import CBOW, CMOW, HYBRID, DemoFolder


def test_a_folder_with_other_things_in_it_is_refused(tmp_path):
    (tmp_path / "precious").touch()
    with pytest.raises(ConfigError, match="neither empty nor an earlier demo's"):
        DemoFolder(tmp_path)


def test_a_file_is_refused(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match="is a file"):
        DemoFolder(tmp_path / "file")


def test_what_an_earlier_demo_wrote_goes_and_what_others_added_stays(tmp_path):
    folder = DemoFolder(tmp_path / "out")
    folder.begin("one")
    folder.write_sentences([("a b", "b a")])
    folder.scores(".png").touch()
    folder.probing.mkdir()
    for name in (CBOW, CMOW, HYBRID):
        folder.model(name).mkdir()
    (folder.path / "notes.txt").touch()
    again = DemoFolder(tmp_path / "out")
    again.begin("another")
    assert sorted(file.name for file in again.path.iterdir()) == ["cmow-demo.json", "notes.txt"]
