"""A GTP engine that fails in a way of one's choice: `python fake_engine.py MODE`."""

import os
import sys
import time

KNOWN = ["name", "version", "list_commands", "boardsize", "komi", "clear_board", "fixed_handicap", "play", "genmove"]


def main(mode: str) -> None:
    if mode == "mute":
        time.sleep(1000)
    if mode == "dead":
        sys.exit("no licence found")
    if mode == "banner":
        print("Welcome to FakeGo!", flush=True)
    moves = 0
    for line in sys.stdin:
        command, *arguments = line.split()
        moves = 0 if command == "clear_board" else moves + (command in ("play", "genmove"))
        if len(sys.argv) > 2:
            with open(sys.argv[2], "a") as log:
                log.write(line)
        if command == "boardsize" and mode == "small" and int(arguments[0]) > 5:
            print("? unacceptable size\n", flush=True)
        elif command == "play" and mode == "stubborn":
            print("? illegal move\n", flush=True)
        elif command == "genmove":
            genmove(mode, moves)
        elif command == "list_commands":
            print("= " + "\n".join([*KNOWN, "set_random_seed"]) + "\n", flush=True)
        else:
            print("= " + {"name": "Fake", "version": "7"}.get(command, "") + "\n", flush=True)
        if command == "quit":
            return


def genmove(mode: str, moves: int) -> None:
    if mode == "hang":
        time.sleep(1000)
    if mode == "die_once" and moves > 1 and not os.path.exists(sys.argv[2] + ".died"):
        open(sys.argv[2] + ".died", "w").close()
        mode = "die"
    if mode == "die":
        sys.stderr.write("segmentation fault, sort of\n")
        sys.exit(3)
    answer = {
        "garbage": "\x00\x07I think D4 is nice",
        "prose": "= a good move\n",
        "refuse": "? cannot think\n",
        "illegal": "= A1\n",
        "outside": "= T19\n",
        "resign": "= resign\n",
        "endless": "= " + "x" * 3_000_000,
    }.get(mode, "= pass\n")
    print(answer, flush=True)


main(sys.argv[1])
