"""The pictures of the documentation can be drawn again."""

import subprocess
import sys
from pathlib import Path

PICTURES = Path(__file__).parents[2] / "docs/pictures"


def test_the_script_draws_every_picture(tmp_path):
    subprocess.run([sys.executable, PICTURES / "make.py"], cwd=tmp_path, check=True)
    drawn = {file.name for file in tmp_path.glob("*.svg")}
    assert drawn == {file.name for file in PICTURES.glob("*.svg")}
