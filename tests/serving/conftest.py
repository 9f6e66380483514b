import pytest
from served import TEXTS, WORDS

pytest.importorskip("starlette")
from starlette.testclient import TestClient

from cmow.encoder import Encoder
from cmow.search import Index
from cmow.serving import ServeSettings, Service, make_app
from cmow.text import Tokenizer, Vocabulary


@pytest.fixture(scope="session")
def encoder():
    tokenizer = Tokenizer.whitespace(Vocabulary(WORDS, range(len(WORDS), 0, -1)))
    return Encoder.initialize(tokenizer, "sum(9)+product(5)", seed=3, sigma=0.3)


@pytest.fixture(scope="session")
def index(encoder, tmp_path_factory):
    folder = tmp_path_factory.mktemp("serving") / "index"
    return Index.build(encoder, TEXTS, folder, columns={"year": [1999, 2005, 2011, 2020]})


@pytest.fixture
def client_of(encoder, index):
    """A client of an application with some settings."""

    def make(*, with_index: bool = True, **settings: object) -> TestClient:
        given = ServeSettings(**{"access_log": False, **settings})
        service = Service(encoder, given, index=index if with_index else None, name="small")
        return TestClient(make_app(service), raise_server_exceptions=False)

    return make


@pytest.fixture
def client(client_of):
    return client_of()
