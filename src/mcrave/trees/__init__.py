"""The search tree: arrays in one budget of memory, and reading it from Python."""

from mcrave.trees.arena import Tree, new_tree

__all__ = ["Tree", "new_tree"]
