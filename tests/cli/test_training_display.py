"""What is shown of a training that goes on."""

from rich.console import Console

from cmow.cli.training import Display, line
from cmow.training import Progress

AN_UPDATE = Progress(
    update=10,
    updates=20,
    epoch=0.5,
    unit="texts",
    examples=320,
    tokens=1000,
    seconds=1.0,
    examples_per_second=320.0,
    seconds_left=1.0,
    learning_rate=0.01,
    training_loss=0.9,
    validation_loss=0.5,
    validated=True,
    is_line=True,
)


def shown(display):
    console = Console(width=80)
    with console.capture() as captured:
        console.print(display)
    return captured.get()


def test_the_run_is_named_where_there_are_several():
    first = AN_UPDATE._replace(run="started, 1 of 2")
    assert line(AN_UPDATE).startswith("update 10/20  loss 0.9000")
    assert line(first).startswith("started, 1 of 2:  update 10/20")
    display = Display()
    display.add(first)
    assert "started, 1 of 2 · update 10 of 20" in shown(display)


def test_the_curve_of_another_run_starts_anew():
    display = Display()
    display.add(AN_UPDATE._replace(run="started, 1 of 2"))
    display.add(AN_UPDATE._replace(run="fresh, 2 of 2", training_loss=0.7, validation_loss=0.8))
    assert display.losses == [0.7]
    assert "best 0.8000" in shown(display)
