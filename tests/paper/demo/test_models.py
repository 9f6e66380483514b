from dataclasses import replace

from cmow.paper.demo import CBOW, CMOW, HYBRID, DemoFolder, from_grammar, train_models


def test_a_text_that_is_learnt_early_is_told_of_on_the_way(tmp_path, tiny):
    folder = DemoFolder(tmp_path / "out")
    folder.begin("the generated language")
    material = from_grammar(folder, tiny, progress=lambda _: None)
    lines: dict[str, list[int]] = {CBOW: [], CMOW: [], HYBRID: []}

    def note(name, progress):
        if progress.is_line:
            lines[name].append(progress.update)

    train_models(material, replace(tiny, updates=800), progress=note)
    for updates in lines.values():
        assert len(updates) == 5
        assert updates[-1] < 50
