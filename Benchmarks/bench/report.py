"""The report: Markdown tables, printed as they are complete, and the required figures at the end."""

import os
import platform
import subprocess
from statistics import median

from servers import RESULTS


class Report:
    def __init__(self):
        self.goals = []
        self.file = open(RESULTS / "report.md", "w")

    def write(self, text=""):
        print(text, flush=True)
        print(text, file=self.file, flush=True)

    def paragraph(self, text):
        self.write(f"\n{text}")

    def table(self, title, header, rows):
        self.write(f"\n**{title}**\n")
        self.write(row(header))
        self.write(row(["---"] * len(header)))
        for cells in rows:
            self.write(row(cells))

    def goal(self, what, figure, is_met, target):
        self.goals.append((what, str(figure), is_met, target))

    def finish(self):
        """Prints the required figures, and returns whether each is met."""
        if self.goals:
            rows = [("yes" if met else "**no**", what, figure, target) for what, figure, met, target in self.goals]
            self.table("Required figures", ["met", "figure", "measured", "required"], rows)
        return all(met for _, _, met, _ in self.goals)


def row(cells):
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def middle(runs, name):
    """The median of a property over runs."""
    return median(getattr(run, name) for run in runs)


def machine(programs):
    """A line about the machine and the programs."""
    with open("/proc/cpuinfo") as file:
        models = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    version = first_line([programs.understudy, "--version"]) if programs.understudy else "understudy of this checkout"
    model = models[0] if models else platform.machine()
    return f"{version}, {platform.system()} {platform.release()}, {os.cpu_count()} processors ({model})"


def first_line(command):
    output = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return output.splitlines()[0] if output else ""
