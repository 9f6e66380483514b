import os
from pathlib import Path

import pytest
from senteval import write_senteval


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All tasks' files, small."""
    return write_senteval(tmp_path_factory.mktemp("senteval"))


@pytest.fixture(scope="session")
def real_data() -> Path:
    """SentEval's own files, where they are at hand."""
    default = Path(__file__).parents[2].parent / "shared" / "data"
    folder = Path(os.environ.get("CMOW_DATA", default)) / "senteval"
    if not folder.is_dir():
        pytest.skip("needs SentEval's data: set CMOW_DATA")
    return folder
