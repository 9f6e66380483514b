"""What every dataclass of settings does, shown by some of a kitchen."""

import inspect
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import pytest

from cmow.cli.flags import flags_of, layer_of
from cmow.corpus import PrepareSettings
from cmow.errors import ConfigError
from cmow.paper.probing import CORPUS_SETTINGS, GRAMMAR_SETTINGS, ProbingSettings
from cmow.settings import (
    Settings,
    choice,
    limits,
    optional,
    positive,
    read_toml,
    rule_of,
    setting,
    settings_of,
    switch,
    table,
    tables_of,
    text,
    whole,
    write_toml,
)
from cmow.training import TrainConfig

Heat = Literal["gas", "wood"]


@dataclass(frozen=True)
class Oven(Settings):
    heat: Heat = setting("gas", choice(Heat), "what burns")
    minutes: float = setting(30.0, positive(), "to bake", heading="Baking")


@dataclass(frozen=True)
class Cake(Settings):
    eggs: int = setting(3, whole(0, 9), "of hens", heading="Dough")
    layers: tuple[int, int] = setting((1, 2), limits(), "fewest and most")
    icing: str | None = setting(None, optional(text("COLOUR")), "if any")
    vegan: bool = setting(False, switch(), "without animals")
    oven: Oven = table(Oven(), heading="Oven")

    def contradictions(self):
        if self.vegan and self.eggs:
            yield "vegan goes with no eggs"


def test_all_that_is_wrong_is_said_at_once():
    values = {
        "eggs": 10,
        "flour": 1,
        "vegan": True,
        "icing": "",
        "layers": [2, 1],
        "oven": {"heat": "coal", "minutes": 0, "door": "open"},
    }
    with pytest.raises(ConfigError) as caught:
        Cake.of(values)
    assert str(caught.value).split("; ") == [
        "there is no setting flour",
        "there is no setting oven.door",
        "heat must be one of gas, wood, not 'coal'",
        "minutes must be a number above 0, not 0",
        "eggs must be a whole number from 0 to 9, not 10",
        "layers must be two whole numbers of at least 0, the lower one first, not (2, 1)",
        "icing must be a word, not ''",
        "vegan goes with no eggs",
    ]


def test_values_can_be_checked_before_it_is_known_what_they_go_with():
    Cake.check({"vegan": True, "layers": [1, 1], "oven": {"heat": "wood"}})
    with pytest.raises(ConfigError, match=r"^heat must be .*; there is no setting oven.door$"):
        Cake.check({"oven": {"heat": 1, "door": 2}})
    with pytest.raises(ConfigError, match="oven must be a table of settings, not 5"):
        Cake.check({"oven": 5})
    with pytest.raises(ConfigError, match="oven must be a table of settings, not 5"):
        Cake(oven=5)  # type: ignore[arg-type]


def test_tables_are_merged_one_by_one():
    merged = Cake.merged(
        {"eggs": 1, "oven": {"heat": "wood", "minutes": 1}}, {"oven": {"minutes": 2}}
    )
    assert merged == {"eggs": 1, "oven": {"heat": "wood", "minutes": 2}}


@pytest.mark.parametrize(
    "settings",
    [
        Cake(eggs=0, vegan=True, icing="pink", layers=(2, 5), oven=Oven(heat="wood")),
        Cake(),
        TrainConfig(max_updates=5),
        PrepareSettings(word_list="words.txt"),
        CORPUS_SETTINGS,
        GRAMMAR_SETTINGS,
    ],
)
def test_toml_goes_there_and_back(settings, tmp_path):
    file = tmp_path / "settings.toml"
    file.write_text(write_toml(settings), "utf-8")
    assert type(settings).of(read_toml(file)) == settings


def test_toml_explains_tables_too():
    assert write_toml(Cake()).splitlines()[-4:] == [
        "",
        "[oven]",
        'heat = "gas"                      # what burns (gas|wood)',
        "minutes = 30.0                    # to bake",
    ]


def test_flags_of_tables_follow_under_their_headings():
    flags = flags_of(Cake)
    assert [flag.name for flag in flags] == ["eggs", "layers", "icing", "vegan", "heat", "minutes"]
    assert [flag.default for flag in flags] == [3, (1, 2), None, False, "gas", 30.0]
    options = [get_args(flag.annotation)[1] for flag in flags]
    assert [option.rich_help_panel for option in options] == [*["Dough"] * 4, "Oven", "Baking"]
    assert [options[0].help, options[3].help] == ["Of hens.", "Without animals."]
    assert [options[0].show_default, options[3].show_default] == ["3", False]
    assert {flag.default for flag in flags_of(Cake, layered=True)} == {None}
    assert layer_of(Cake, {"eggs": 0, "heat": "wood", "icing": None}) == {
        "eggs": 0,
        "oven": {"heat": "wood"},
    }


@pytest.mark.parametrize("kind", [TrainConfig, PrepareSettings, ProbingSettings])
def test_choices_are_annotated_with_the_words_of_their_rule(kind):
    for each in settings_of(kind):
        words = rule_of(each).metavar.split("|")
        if len(words) > 1:
            assert list(get_args(each.type)) == words


def test_flags_of_all_tables_have_names_of_their_own():
    names = [each.name for each in settings_of(TrainConfig)]
    for each in tables_of(TrainConfig):
        names += inspect.signature(each.metadata["table"]).parameters
    assert len(set(names)) == len(names)


def test_a_typo_is_seen_by_mypy(tmp_path):
    pytest.importorskip("mypy")
    file = tmp_path / "typo.py"
    file.write_text(
        "from cmow import TrainConfig\n"
        "from cmow.corpus import PrepareSettings\n"
        'TrainConfig(adam="lazy", prepare=PrepareSettings(invalid="skip"))\n'
        'TrainConfig(adam="lasy")\n'
        'PrepareSettings(invalid="skipp")\n'
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", file]
    place = Path(__file__).parents[2] / "src"
    told = subprocess.run(command, capture_output=True, text=True, check=False, cwd=place)
    lines = [line for line in told.stdout.splitlines() if "error" in line]
    assert [line.split(":")[1] for line in lines if "typo.py" in line] == ["4", "5"]
