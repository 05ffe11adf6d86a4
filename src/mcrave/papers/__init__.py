"""The papers' tables, figures and claims as contests, with the published numbers beside ours.

`base.py` says what a table is; the files named after papers hold them; `catalogue.py` lists them all. `running.py`
plays them, `verdict.py` compares, `layout.py`, `page.py` and `plot.py` show.
"""

from mcrave.papers.base import Cell, Paper, Published, Table
from mcrave.papers.catalogue import find, tables

__all__ = ["Cell", "Paper", "Published", "Table", "find", "tables"]
