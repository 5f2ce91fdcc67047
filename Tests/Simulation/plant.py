"""Plants all mutations of mutations.txt in a copy of the sources, behind a switch.

plant.py MUTATIONS FOLDER changes the sources in FOLDER, and prints a line for each mutation: its number, how many seeds
have to find it, the first of them, and its name; `stale` instead of the seeds if its lines are no longer there.
"""
import pathlib
import re
import sys

SWITCH = '@_silgen_name("isMutationPlanted") private func isPlanted(_ number: Int) -> Bool\n'
PROGRAM = """internal import Glibc

private let planted = unsafe getenv("PLANTED_MUTATION").flatMap { unsafe Int(String(cString: $0)) }

@_silgen_name("isMutationPlanted") func isMutationPlanted(_ number: Int) -> Bool { number == planted }
"""


def mutations(path):
    """Each with its name, how many seeds have to find it, the first seed, its file, the old lines and the new ones."""
    first = 1
    for block in re.split(r"\n\s*\n", path.read_text(encoding="utf-8")):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        if not lines:
            continue
        if lines[0].startswith("@"):
            first = int(lines[0][1:])
            continue
        name, seeds = re.fullmatch(r"(.*?)(?: \[(\d+)\])?", lines[0]).groups()
        old = "\n".join(line[1:] for line in lines[2:] if line.startswith("-"))
        new = "\n".join(line[1:] for line in lines[2:] if line.startswith("+"))
        yield name, int(seeds or 200), first, lines[1], old, new


def planted(number, old, new):
    """The lines that take the place of the old ones."""
    if "isPlanted" in new:
        return re.sub(r"\bisPlanted\b", f"isPlanted({number})", new)
    return f"(isPlanted({number}) ? ({new}) : ({old}))"


def main():
    folder = pathlib.Path(sys.argv[2])
    changed = {}
    for number, (name, seeds, first, path, old, new) in enumerate(mutations(pathlib.Path(sys.argv[1])), 1):
        file = folder / path
        text = changed.get(file) or file.read_text(encoding="utf-8")
        if old not in text:
            seeds = "stale"
        else:
            changed[file] = text.replace(old, planted(number, old, new), 1)
        print(number, seeds, first, name, sep="\t")
    for file, text in changed.items():
        file.write_text(text + "\n" + SWITCH, encoding="utf-8")
    (folder / "Tests/Simulation/alertsim/Planted.swift").write_text(PROGRAM, encoding="utf-8")


main()
