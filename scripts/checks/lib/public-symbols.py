"""Counts the public declarations of each target: every line of Sources that declares something as public or open.
Does not count imports, comments, and the samples of the documentation."""
import collections
import pathlib
import re

declaration = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:public|open)\s+"
    r"(?:(?:static|class|final|nonisolated|weak|unowned|mutating|override|convenience|required|indirect|isolated)\s+)*"
    r"(?:actor|associatedtype|case|class|enum|func|init|let|protocol|struct|subscript|typealias|var)\b"
)
sources = pathlib.Path(__file__).resolve().parents[3] / "Sources"
counts = collections.Counter()
for path in sources.rglob("*.swift"):
    if ".docc" in str(path):
        continue
    is_in_text = False
    for line in path.read_text().splitlines():
        if not is_in_text and declaration.match(re.sub(r"\b(private|internal|package)\(set\) ", "", line)):
            counts[path.relative_to(sources).parts[0]] += 1
        is_in_text ^= line.count('"""') % 2 == 1
for target in sorted(counts):
    print(f"{counts[target]:5} {target}")
print(f"{counts.total():5} in all")
