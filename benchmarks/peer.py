"""Our rate against that of another program, measured in turn: it, we, it, we ...

    python benchmarks/peer.py --command "./edmd --n 1000" --pattern "([0-9.]+) collisions per second"

The command must print its own rate, in disc-disc collisions per second of CPU time, for the scene that it is compared
with; `--scale` is for other units. benchmarks/README.md says what makes such a comparison fair.
"""
from __future__ import annotations

import argparse
import csv
import re
import shlex
import subprocess
import sys
from statistics import median

import scenes
from measure import MeasurementError, in_new_process
from scenes import Scene
from throughput import about, positive, table, whole

UNDISTURBED = 0.8       # of our run, that what ran just before it is taken for undisturbed, too
TAIL = 300      # characters of what a command printed that an error shows


class PeerError(Exception):
    """The other program gave no rate; the message says why."""


def peer_rate(command: list[str], pattern: re.Pattern[str], scale: float, timeout: float) -> float:
    """The last number that the pattern finds in what the command prints, times `scale`."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=timeout)
    except OSError as error:
        raise PeerError(f"{command[0]}: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise PeerError(f"{command[0]}: no end within {timeout:g} s") from None
    tail = done.stdout.strip()[-TAIL:]
    if done.returncode:
        raise PeerError(f"{command[0]}: exit status {done.returncode}: {tail}")
    matches = list(pattern.finditer(done.stdout))
    if not matches:
        raise PeerError(f"{command[0]}: nothing in its output matches {pattern.pattern!r}: {tail}")
    text = matches[-1].group(1 if pattern.groups else 0)
    try:
        rate = scale * float(text.replace(",", ""))
    except ValueError:
        raise PeerError(f"{command[0]}: expected a number, found {text!r}") from None
    if not rate > 0:
        raise PeerError(f"{command[0]}: its rate is {rate!r}")
    return rate


def compare(options: argparse.Namespace, scene: Scene) -> list[tuple[float, float, float]]:
    """(peer, ours, undisturbed part of ours) of each round; we repeat the events of our first round."""
    rounds: list[tuple[float, float, float]] = []
    events = None
    for number in range(1, options.rounds + 1):
        peer = peer_rate(options.command, options.pattern, options.scale, options.timeout)
        found = in_new_process({"scene": list(scene), "seconds": options.seconds, "events": events})
        events = found["events"]
        rounds.append((peer, found["rate"], found["undisturbed"]))
        print(f"round {number}: {peer:,.0f} and {found['rate']:,.0f}", file=sys.stderr)
    return rounds


def regular_expression(text: str) -> re.Pattern[str]:
    try:
        pattern = re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no regular expression: {error}") from None
    if pattern.groups > 1:
        raise argparse.ArgumentTypeError(f"{text!r} has {pattern.groups} groups; at most one, the number")
    return pattern


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare our rate with that of another program, in turn.", allow_abbrev=False)
    parser.add_argument("--command", type=shlex.split, required=True, help="the other program with its arguments; no shell")
    parser.add_argument("--pattern", type=regular_expression, required=True, metavar="REGEX",
                        help="finds its rate: the last match counts, and of that the group if there is one")
    parser.add_argument("--scale", type=positive, default=1.0, metavar="X", help="what the number is multiplied by (1)")
    parser.add_argument("--scene", default="gas", help="what we run: a scene of throughput.py (gas)")
    parser.add_argument("--n", type=whole, default=1000, help="discs (1000)")
    parser.add_argument("--phi", type=positive, default=0.4, help="packing fraction of `gas` (.4)")
    parser.add_argument("--walls", action="store_true", help="`gas` between walls instead of in a periodic box")
    parser.add_argument("--rounds", type=whole, default=5, metavar="K", help="pairs of measurements (5)")
    parser.add_argument("--seconds", type=positive, default=1.0, metavar="S", help="of CPU time for each of ours (1)")
    parser.add_argument("--timeout", type=positive, default=600.0, metavar="S", help="for each run of the command (600)")
    parser.add_argument("--csv", metavar="FILE", help="write every round as a row")
    options = parser.parse_args(arguments)
    if not options.command:
        parser.error("--command is empty")
    try:
        [options.chosen] = scenes.choose([options.scene], [options.n], [options.phi], options.walls)
    except ValueError as error:
        parser.error(str(error))
    return options


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    try:
        rounds = compare(options, options.chosen)
    except (PeerError, MeasurementError) as error:
        print(f"peer.py: {error}", file=sys.stderr)
        return 1
    where = about()
    ratios = [ours / peer for peer, ours, _ in rounds]
    calm = [ours / peer for peer, ours, part in rounds if part >= UNDISTURBED]
    print(", ".join(where.values()))
    print(table([["scene", "peer", "hdsim", "hdsim/peer", "lowest", "highest", "undisturbed"],
                 [str(options.chosen), *(f"{median(one[k] for one in rounds):,.0f}" for k in range(2)),
                  *(f"{f(ratios):.3f}" for f in (median, min, max)), f"{median(calm):.3f} ({len(calm)})" if calm else "-"]]))
    if options.csv:
        with open(options.csv, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow([*where, "command", "scene", "round", "peer", "hdsim", "undisturbed", "ratio"])
            for number, (one, ratio) in enumerate(zip(rounds, ratios), 1):
                writer.writerow([*where.values(), shlex.join(options.command), str(options.chosen), number, *one, ratio])
    return 0


if __name__ == "__main__":
    sys.exit(main())
