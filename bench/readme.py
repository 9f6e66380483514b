"""The README's table: quality and speed of the model that ships, beside its peers."""

import json

from measuring import RESULTS, table

ROWS = {  # what the table calls a model: what distilled.json and english.json call it
    "**cmow**, the model that ships": ("english (it comes with cmow)", "english, 784 numbers"),
    "model2vec, same teacher": ("model2vec from the same teacher, 256",) * 2,
    "WordLlama": ("WordLlama, 256",) * 2,
    "bag of words, taught alike": ("a bag of 384 taught alike", "a bag of 384"),
    "the teacher, a transformer": ("teacher", "the teacher, bfloat16"),
}
COLUMNS = {
    "BShift": "word order (BShift)",
    "supervised": "classifiers (11 tasks)",
    "STS12-16": "similarity (STS12–16)",
}


def beside_peers() -> str:
    """Quality in points, speed from strings on one thread, and where both come from."""
    models = json.loads((RESULTS / "distilled.json").read_text("utf-8"))["models"]
    found = json.loads((RESULTS / "english.json").read_text("utf-8"))
    rates, about = found["rates"], found["machine"]
    rows = [
        [
            name,
            *(f"{models[model][column]:.1f}" for column in COLUMNS),
            round(rates[rate]) if rate in rates else "–",
        ]
        for name, (model, rate) in ROWS.items()
    ]
    header = ["", *COLUMNS.values(), "sentences per CPU-second"]
    source = (
        f"Measured on {about['date']}, {about['cpu']}, one thread: "
        "[quality](results/distilled.md), [speed](results/english.md)."
    )
    return f"{table(header, rows)}\n\n{source}\n"
