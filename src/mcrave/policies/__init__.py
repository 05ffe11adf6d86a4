"""Tree policies: which move a simulation takes inside the tree. One file each, the equation first."""

from mcrave.policies._schedules import Schedule
from mcrave.policies.base import TreePolicy

__all__ = ["Schedule", "TreePolicy"]
