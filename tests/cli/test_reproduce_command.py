def test_a_faulty_file_is_one_line(cmow, tmp_path):
    experiment = tmp_path / "experiment.toml"
    experiment.write_text("kind = 'scores'\n")
    code, _, error = cmow(
        "reproduce", experiment, "--corpus", experiment, "--data", tmp_path, "-o", tmp_path / "out"
    )
    assert code == 2
    assert error.count("\n") == 1
    assert "title is missing; models must be a table" in error
    assert not (tmp_path / "out").exists()


def test_a_missing_folder_of_data_is_named_before_training(cmow, tmp_path):
    experiment = tmp_path / "experiment.toml"
    experiment.write_text(
        "title = 'x'\nkind = 'scores'\n[models.a]\nshape = 'sum(2)'\n[rows.a]\nencoder = 'a'\n"
    )
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("one two three\n" * 20)
    code, _, error = cmow(
        *("reproduce", experiment, "--corpus", corpus, "--data", tmp_path / "none"),
        *("-o", tmp_path / "out"),
    )
    assert code == 2
    assert "none is not a folder" in error
    assert not (tmp_path / "out" / "models" / "a-0").exists()
