"""All tables, in the order in which one reads them."""

from __future__ import annotations

import difflib
from functools import cache

from mcrave.errors import Error
from mcrave.papers import (
    cadia,
    gelly_silver_figure_5,
    gelly_silver_figure_6,
    gelly_silver_figure_7,
    gelly_silver_section_5_2,
    gelly_silver_table_1,
    grave_atarigo,
    grave_domineering,
    grave_go,
    grave_go3,
    grave_knightthrough,
    notes,
)
from mcrave.papers.base import Table

ALL = "all"
MODULES = (
    grave_atarigo,
    grave_knightthrough,
    grave_domineering,
    grave_go,
    grave_go3,
    cadia,
    gelly_silver_figure_5,
    gelly_silver_figure_6,
    gelly_silver_table_1,
    gelly_silver_figure_7,
    gelly_silver_section_5_2,
    notes,
)


@cache
def tables() -> dict[str, Table]:
    """Every table by its id.

    >>> list(tables())[:3]
    ['grave-table-1', 'grave-table-2', 'grave-section-4-1']
    """
    return {table.id: table for module in MODULES for table in module.TABLES}


def find(name: str) -> Table:
    """The table with this id.

    >>> find("grave-table-2").title
    'GRAVE against RAVE at Atarigo 8×8, 10,000 playouts'
    >>> find("grave-tabel-2")
    Traceback (most recent call last):
    mcrave.errors.Error: there is no table 'grave-tabel-2'; did you mean 'grave-table-2'? --list shows all
    """
    found = tables().get(name.strip().lower())
    if found is None:
        near = difflib.get_close_matches(name.lower(), [*tables(), ALL], 1)
        hint = f"; did you mean '{near[0]}'?" if near else ";"
        raise Error(f"there is no table '{name}'{hint} --list shows all")
    return found


def select(names: list[str]) -> list[Table]:
    """The tables with these ids, each once; `all` for all.

    >>> len(select(["all"])) == len(tables()), [table.id for table in select(["cadia", "cadia"])]
    (True, ['cadia'])
    """
    chosen: dict[str, Table] = {}
    for name in names:
        chosen |= tables() if name == ALL else {(table := find(name)).id: table}
    return list(chosen.values())
