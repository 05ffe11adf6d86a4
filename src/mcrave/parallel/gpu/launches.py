"""The kernels as a GPU launches them: a thread, or a warp, for each row. Imported only where there is a GPU."""

from __future__ import annotations

from contextlib import suppress

from numba import cuda

from mcrave.kernel import cache
from mcrave.parallel.gpu.kernels import begin_game, clear_tree, move, think
from mcrave.parallel.gpu.lanes import width_of
from mcrave.parallel.gpu.leaf_kernels import add_up, play_leaf
from mcrave.parallel.gpu.shapes import FEW, MANY
from mcrave.parallel.gpu.warp import think_together

REGISTERS = 64  # of a thread: more of them, and fewer warps run at once
compiled = cuda.jit(fastmath=False, max_registers=REGISTERS)


@compiled
def begin_all(count, lanes, args):
    """`begin_game`; as the next ones, with `lanes` games in a warp."""
    lane = cuda.threadIdx.x % 32
    k = (cuda.grid(1) // 32) * lanes + lane
    if lane < lanes and k < count:
        begin_game(k, args)


@compiled
def clear_all(count, lanes, args):
    """`clear_tree`."""
    lane = cuda.threadIdx.x % 32
    k = (cuda.grid(1) // 32) * lanes + lane
    if lane < lanes and k < count:
        clear_tree(k, args)


@compiled
def think_all(count, lanes, args):
    """`think`."""
    lane = cuda.threadIdx.x % 32
    k = (cuda.grid(1) // 32) * lanes + lane
    if lane < lanes and k < count:
        think(k, args)


@compiled
def move_all(count, lanes, args):
    """`move`."""
    lane = cuda.threadIdx.x % 32
    k = (cuda.grid(1) // 32) * lanes + lane
    if lane < lanes and k < count:
        move(k, args)


@compiled
def play_all_leaves(count, lanes, args):
    """`play_leaf`."""
    lane = cuda.threadIdx.x % 32
    k = (cuda.grid(1) // 32) * lanes + lane
    if lane < lanes and k < count:
        play_leaf(k, args)


@compiled
def add_all_up(count, lanes, args):
    """`add_up`."""
    lane = cuda.threadIdx.x % 32
    k = (cuda.grid(1) // 32) * lanes + lane
    if lane < lanes and k < count:
        add_up(k, args)


@cuda.jit(fastmath=False, max_registers=MANY)
def think_all_together(count, args):
    """`think_together`: some lanes of a warp for each game."""
    k = cuda.grid(1) // width_of(args[-1].lanes)
    if k < count:
        think_together(k, cuda.threadIdx.x % 32, args)


@cuda.jit(fastmath=False, max_registers=FEW)
def think_all_crowded(count, args):
    """The same with more warps at once."""
    k = cuda.grid(1) // width_of(args[-1].lanes)
    if k < count:
        think_together(k, cuda.threadIdx.x % 32, args)


KERNELS = {
    begin_game: begin_all,
    clear_tree: clear_all,
    think: think_all,
    move: move_all,
    play_leaf: play_all_leaves,
    add_up: add_all_up,
}
TEAM_KERNELS = {(think_together, MANY): think_all_together, (think_together, FEW): think_all_crowded}


def keep_compiled() -> None:
    """Keep compiled kernels on disk, where those of the processor are kept, too."""
    with suppress(ImportError):  # older releases read Numba's own setting
        from numba.cuda.core import config

        config.CACHE_DIR = str(cache.folder())
    for kernel in (*KERNELS.values(), *TEAM_KERNELS.values()):
        kernel.enable_caching()
