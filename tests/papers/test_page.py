"""Pages and plots from a results file."""

from __future__ import annotations

import pytest

from mcrave.arena import Store
from mcrave.errors import Error
from mcrave.papers import find
from mcrave.papers.page import write_pages
from tests.papers.example import CLAIM, SMALL, fill

FIGURE = find("gelly-silver-section-5-2")
GRAVE = find("grave-table-6")


@pytest.fixture
def store():
    with Store() as store:
        fill(store, GRAVE.cells[0], 310, 500)
        fill(store, GRAVE.cells[1], 200, 500)
        fill(store, GRAVE.cells[2], 6, 10)
        for cell, wins in zip(FIGURE.cells, (240, 230, 200, 150, 100)):
            fill(store, cell, wins, 500)
        yield store


def test_a_page(store, tmp_path):
    (path,) = write_pages([GRAVE], store, tmp_path, index=False)
    text = path.read_text()
    assert path.name == "grave-table-6.md"
    assert "# Table 6: GRAVE against RAVE at Knightthrough 8×8, 1,000 playouts" in text
    table = [line for line in text.splitlines() if line.startswith("| ")]
    assert table == [
        "| ref | 25 | 50 | 100 |",
        "| --- | --: | --: | --: |",
        "| bias | 0.01 | 1e-4 | 0.01 |",
        "| paper | 62.0 % | **67.8 %** | 63.0 % |",
        "| mcrave | 62.0 ± 4.2 % | 40.0 ± 4.3 % | 60.0 ± 26.0 % |",
        "| games | 500 | 500 | 10 |",
        "| verdict | agrees | **differs** | too few games |",
    ]
    assert "Verdicts: 1 agrees, 1 differs, 1 too few games." in text
    assert f'"{GRAVE.cells[1].a}" \\\n    "{GRAVE.cells[1].b}" --games 500' in text
    assert "1,010 games in 0.51 hours of one process: 2,000 games an hour." in text
    assert "Machine: a processor, 2 cores." in text  # and not the host's name
    assert all(note in text for note in GRAVE.notes)
    assert f"images/{GRAVE.id}.svg" in text


def test_other_readings_stand_beside(store, tmp_path):
    table = find("grave-table-2")
    fill(store, table.cells[1], 53, 60)
    fill(store, table.read_as("uniform playouts").cells[1], 365, 500)
    (path,) = write_pages([table], store, tmp_path, index=False)
    lines = path.read_text().splitlines()
    assert "| mcrave | – | 88.3 ± 8.2 % | – |" in lines
    assert lines.count("## Other readings") == 1
    before, also = lines[: lines.index("## Also tried")], lines[lines.index("## Also tried") :]
    tried = [line for line in before if line.startswith("| uniform playouts")]
    assert tried == ["| uniform playouts | 50 | 1e-10 | 88.4 % | 73.0 ± 3.9 % | 500 | **differs** |"]
    assert "| uniform playouts; no transpositions | ref 50, 1e-10 | 73 % | 100 |" in also
    (path,) = write_pages([GRAVE], store, tmp_path, index=False)
    assert "Other readings" not in path.read_text()
    assert "Also tried" not in path.read_text()


def test_the_same_results_give_the_same_files(store, tmp_path):
    for folder in ("one", "two"):
        write_pages([GRAVE, FIGURE], store, tmp_path / folder)
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.*"))
    assert {path.suffix for path in files} == {".md", ".png", ".svg"}
    for path in files:
        assert (tmp_path / "one" / path).read_bytes() == (tmp_path / "two" / path).read_bytes(), path


def test_plots_are_pictures_of_the_results(store, tmp_path):
    write_pages([GRAVE, FIGURE], store, tmp_path)
    for table in (GRAVE, FIGURE):
        assert (tmp_path / "images" / f"{table.id}.png").read_bytes().startswith(b"\x89PNG")
        drawn = (tmp_path / "images" / f"{table.id}.svg").read_text()
        assert table.place in drawn
    assert "mcrave" in (tmp_path / "images" / f"{GRAVE.id}.svg").read_text()
    assert "UCT–RAVE against MC–RAVE, random playouts" in drawn


@pytest.mark.parametrize("name", ["gelly-silver-figure-5", "gelly-silver-figure-6", "gelly-silver-figure-7"])
def test_figures_that_wait_for_parts_can_be_drawn(name, tmp_path, monkeypatch):
    """With the parts that may be missing put aside, so that results can be made up."""
    from dataclasses import replace

    from mcrave.papers import plot
    from mcrave.papers.verdict import judged

    table = find(name)
    rows = tuple(
        tuple(replace(cell, a=f"uct@{10 * i + j + 1}", b="random") for j, cell in enumerate(row))
        for i, row in enumerate(table.rows)
    )
    table = replace(table, rows=rows)
    with Store() as store:
        for number, cell in enumerate(table.cells):
            fill(store, cell, 110 + number, 200)
        paths = plot.write(table, judged(table, store), tmp_path)
    assert [path.suffix for path in paths] == [".png", ".svg"]
    assert "winning rate" in paths[1].read_text() or "Elo above the first" in paths[1].read_text()


def test_tables_without_games_have_a_page_without_a_plot(store, tmp_path):
    (path,) = write_pages([CLAIM], store, tmp_path, index=False)
    assert "| paper | ≥ 50 % |" in path.read_text()
    assert "images" not in path.read_text()
    assert not (tmp_path / "images").exists()


def test_index(store, tmp_path):
    *_, index = write_pages([GRAVE, SMALL], store, tmp_path)
    assert index.name == "README.md"
    assert f"| [Table 6](grave-table-6.md) | {GRAVE.title} | 3 | 3 | 1 | 1 | 1 |" in index.read_text()
    assert f"| [Table 0](small.md) | {SMALL.title} | 4 |  |  |  |  |" in index.read_text()


def test_a_folder_that_cannot_be_written(store, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(Error, match="cannot write pages into"):
        write_pages([CLAIM], store, tmp_path / "file")


def test_the_index_tells_of_a_reading_that_agrees_in_more_cells(store, tmp_path):
    table = find("grave-table-2")
    fill(store, table.cells[0], 300, 500)
    fill(store, table.cells[1], 442, 500)
    write_pages([table], store, tmp_path)
    row = next(line for line in (tmp_path / "README.md").read_text().splitlines() if "grave-table-2.md" in line)
    assert row.endswith("| 3 | 2 | 1 | 1 |  |  |")
    for cell, wins in zip(table.read_as("uniform playouts").cells, (431, 442, 300)):
        fill(store, cell, wins, 500)
    write_pages([table], store, tmp_path)
    row = next(line for line in (tmp_path / "README.md").read_text().splitlines() if "grave-table-2.md" in line)
    assert row.endswith("| 3 | 2 | 1 | 1 |  | 2 of 3 agree, 500 games or more |")
