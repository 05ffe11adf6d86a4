"""Who runs the kernels: a GPU, a thread for each game, or this processor, one game after the other.

The second is for tests and for debugging: it runs the same kernels on the same memory in the same order of launches.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any, Protocol

import numpy as np

from mcrave.errors import Error
from mcrave.kernel import INTERPRETED, jit
from mcrave.parallel.gpu.compiling import prepare_compiler
from mcrave.parallel.gpu.shapes import PER_BLOCK, WARP, Device, Shape, shape_of, warps_at_once, whole_waves

QUEUES = "CUDA_DEVICE_MAX_CONNECTIONS"  # launches of so many groups overlap; by default 8, 32 at the most
GET_IT = "pip install 'mcrave[gpu]' and an NVIDIA driver; leave cuda out, and the processor plays"


class Engine(Protocol):
    """Memory, and kernels that run over rows."""

    name: str
    together: bool
    """Whether several threads can work on one game (see `warp`)."""

    def shape(self, games: int, plies: int, state: int) -> Shape:
        """How they should, with so many games of so many plies at the most, and of states of so many bytes."""
        ...

    def free_memory(self) -> int:
        """Bytes."""
        ...

    def zeros(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        """An array of the device."""
        ...

    def put(self, array: Any) -> Any:
        """A copy on the device."""
        ...

    def get(self, array: Any) -> Any:
        """A copy here; waits for everything that was launched."""
        ...

    def at_a_time(self, games: int, plies: int, state: int) -> int:
        """How many of so many games to play at a time."""
        ...

    def launch(self, body: Callable[..., Any], count: int, args: tuple[Any, ...], group: int = 0) -> None:
        """Run `body(k, args)` for every k below `count`; launches of different groups may overlap."""
        ...

    def launch_teams(
        self, body: Callable[..., Any], count: int, shape: Shape, args: tuple[Any, ...], group: int
    ) -> None:
        """Run `body(k, thread, args)` for every k below `count` by some lanes of a warp."""
        ...

    def join(self) -> None:
        """Let what is launched from now on wait for what was launched before, in whatever group."""
        ...


def brought(engine: Engine, part: Any) -> Any:
    """A spec with all the arrays in it, learnt weights for example, in the memory of the device."""
    if isinstance(part, np.ndarray):
        return engine.put(part)
    if isinstance(part, tuple):
        return tuple.__new__(type(part), [brought(engine, each) for each in part])
    return part


class Host:
    """This processor."""

    name = "this processor"
    together = False

    def __init__(self, memory: int = 1 << 30) -> None:
        """With so much memory."""
        self.memory = memory

    def free_memory(self) -> int:
        """As told."""
        return self.memory

    def zeros(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        """As NumPy's."""
        return np.zeros(shape, dtype).view(np.recarray) if dtype.names else np.zeros(shape, dtype)

    def put(self, array: Any) -> Any:
        """The array itself."""
        return array

    def get(self, array: Any) -> Any:
        """A copy."""
        return array.copy()

    def launch(self, body: Callable[..., Any], count: int, args: tuple[Any, ...], group: int = 0) -> None:
        """At once."""
        _loop(body)(count, args)

    def shape(self, games: int, plies: int, state: int) -> Shape:
        """There are no warps and no shared memory here."""
        return Shape()

    def at_a_time(self, games: int, plies: int, state: int) -> int:
        """All of them: they take turns anyway."""
        return games

    def launch_teams(
        self, body: Callable[..., Any], count: int, shape: Shape, args: tuple[Any, ...], group: int
    ) -> None:
        """There are no warps here."""
        raise NotImplementedError

    def join(self) -> None:
        """Nothing runs."""


@cache
def _loop(body: Callable[..., Any]) -> Callable[..., Any]:
    """A loop over the rows."""

    def loop(count: int, args: Any) -> None:
        for k in range(count):
            body(k, args)

    return loop if INTERPRETED else jit(loop)


class Cuda:
    """An NVIDIA GPU."""

    def __init__(self, together: bool = True, lanes: int = 0) -> None:
        """The current one; an `Error` says in a line what is missing.

        With `together`, `lanes` threads of a warp think about one game; else `lanes` games share a warp, each with one
        thread. 0: so many that all games have room at once.
        """
        self._cuda: Any = _cuda()
        self.together, self.lanes = together, lanes
        device = self._cuda.get_current_device()
        name = device.name
        self.name = name.decode() if isinstance(name, bytes) else str(name)
        self._device = Device(int(device.MULTIPROCESSOR_COUNT), int(device.MAX_SHARED_MEMORY_PER_MULTIPROCESSOR))
        self._streams: dict[int, Any] = {}
        from mcrave.parallel.gpu.launches import KERNELS, REGISTERS, TEAM_KERNELS, keep_compiled

        keep_compiled()
        self._kernels: dict[Callable[..., Any], Any] = KERNELS
        self._team_kernels: dict[tuple[Callable[..., Any], int], Any] = TEAM_KERNELS
        self._room = warps_at_once(self._device, REGISTERS)

    def free_memory(self) -> int:
        """What is free now."""
        return int(self._cuda.current_context().get_memory_info()[0])

    def zeros(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        """In the GPU's memory; what it held before stays there, as every kernel writes before it reads."""
        return self._cuda.device_array(shape, dtype)

    def put(self, array: Any) -> Any:
        """Through the bus."""
        return self._cuda.to_device(np.ascontiguousarray(array))

    def get(self, array: Any) -> Any:
        """Through the bus."""
        self._cuda.synchronize()
        return array.copy_to_host()

    def launch(self, body: Callable[..., Any], count: int, args: tuple[Any, ...], group: int = 0) -> None:
        """As few games in a warp as the GPU has room for: threads of a warp wait for each other at every branch."""
        if count == 0:
            return
        lanes = self.lanes or 1
        while not self.lanes and lanes < WARP and count > lanes * self._room:
            lanes *= 2
        blocks = -(-count // (lanes * PER_BLOCK))
        self._kernels[body][blocks, PER_BLOCK * WARP, self._stream(group)](count, lanes, args)

    def shape(self, games: int, plies: int, state: int) -> Shape:
        """What was measured to be best."""
        return shape_of(games, plies, state, self._device, self.lanes)

    def at_a_time(self, games: int, plies: int, state: int) -> int:
        """As many as fill it to the end of each turn."""
        return whole_waves(games, plies, state, self._device, self.lanes) if self.together else games

    def launch_teams(
        self, body: Callable[..., Any], count: int, shape: Shape, args: tuple[Any, ...], group: int
    ) -> None:
        """Neighbouring games in a warp."""
        if count:
            kernel = self._team_kernels[body, shape.registers]
            blocks = -(-count // shape.games)
            kernel[blocks, shape.games * shape.lanes, self._stream(group), shape.shared](count, args)

    def _stream(self, group: int) -> Any:
        if group not in self._streams:
            self._streams[group] = self._cuda.stream()
        return self._streams[group]

    def join(self) -> None:
        """Every stream waits for the ends of all."""
        events = []
        for stream in self._streams.values():
            event = self._cuda.event(timing=False)
            event.record(stream)
            events.append(event)
        for stream in self._streams.values():
            for event in events:
                event.wait(stream)


def _cuda() -> Any:
    """Numba's CUDA, if there is a GPU to use it on."""
    try:
        from numba import cuda
    except ImportError:
        raise Error(f"device cuda needs numba-cuda: {GET_IT}") from None
    os.environ.setdefault(QUEUES, "32")  # the driver reads it when it is first used
    try:
        if cuda.is_available():
            cuda.current_context()
            prepare_compiler()
            return cuda
        reason = "no NVIDIA GPU was found"
    except Exception as error:
        reason = next(iter(str(error).strip().splitlines()), type(error).__name__)
    raise Error(f"device cuda: {reason}; it needs {GET_IT}")
