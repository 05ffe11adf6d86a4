"""Games of Go in files: SGF (https://www.red-bean.com/sgf/) with variations, handicap and set-up stones.

Reading and writing the format itself is sgfmill's work; here it becomes boards and back.
"""

from mcrave.sgf.board import Board, Play, point_number
from mcrave.sgf.reading import Record, load, read, read_all
from mcrave.sgf.writing import Heading, save, text_of

__all__ = ["Board", "Heading", "Play", "Record", "load", "point_number", "read", "read_all", "save", "text_of"]
