"""Random playouts a second of pgx, on whatever device JAX finds: `python benchmarks/gpu_pgx.py go_9x9 16000`.

`benchmarks/gpu.py` starts it beside its own playouts, where pgx and JAX are installed. All games begin together and
make one random legal move at a time, until all of them are over. These games may fill own eyes, which mcrave's playouts
never do, so their lengths differ, and moves are counted, too.
"""

from __future__ import annotations

import sys
import time


def measure(name: str, games: int, repeats: int = 3) -> tuple[float, float]:
    """Playouts and moves a second, the best of some runs; compiling is not counted."""
    import jax
    import jax.numpy as jnp
    import pgx

    env = pgx.make(name)

    def step(carry):
        state, key, moves = carry
        key, own = jax.random.split(key)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        action = jax.random.categorical(own, logits, axis=-1)
        moves = moves + jnp.sum(~state.terminated)
        return jax.vmap(env.step)(state, action), key, moves

    @jax.jit
    def play(key):
        key, own = jax.random.split(key)
        state = jax.vmap(env.init)(jax.random.split(own, games))
        return jax.lax.while_loop(lambda carry: ~carry[0].terminated.all(), step, (state, key, jnp.int32(0)))[2]

    play(jax.random.PRNGKey(0)).block_until_ready()
    best = (0.0, 0.0)
    for seed in range(1, repeats + 1):
        began = time.perf_counter()
        moves = int(play(jax.random.PRNGKey(seed)).block_until_ready())
        taken = time.perf_counter() - began
        best = max(best, (games / taken, moves / taken))
    return best


if __name__ == "__main__":
    game, count = sys.argv[1], int(sys.argv[2])
    playouts, moves = measure(game, count)
    print(f"pgx {game:14} {count:6} games at once  {playouts / 1e6:8.3f} M playouts/s {moves / 1e6:8.1f} M moves/s")
