"""The search: simulations through the tree, budgets, the choice of a move, and the report."""

from mcrave.search.options import Options
from mcrave.search.report import MoveReport, Report
from mcrave.search.searcher import Search

__all__ = ["MoveReport", "Options", "Report", "Search"]
