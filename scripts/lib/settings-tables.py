"""Prints docs/settings.md with the tables that the output of `understudy config --template`, on standard input, describes."""

import re
import sys

DOCUMENT = "docs/settings.md"
SIGHUP = " SIGHUP applies a change."
# Quoted texts, variables, paths and addresses.
CODE = re.compile(r"(?<!\w)'([^']+)'(?!\w)|(?<![\w`])((?:\$|~/|/(?=[a-z])|[a-z]+://)[^\s,;()]*[\w/])")


def main() -> None:
    tables = read(sys.stdin.read())
    with open(DOCUMENT, encoding="utf-8") as file:
        text = file.read()
    titles = re.findall(r"(?m)^<!-- settings: (.+) -->$", text)
    if titles != list(tables):
        sys.exit(f"{DOCUMENT} has the groups {titles}, and the program {list(tables)}")
    for title, rows in tables.items():
        mark = f"<!-- settings: {title} -->\n"
        text = re.sub(f"{mark}(\n?\\|.*\n)*", lambda _, mark=mark, rows=rows: mark + "\n" + "".join(rows), text)
    print(text, end="")


def read(template: str) -> dict[str, list[str]]:
    """Returns the lines of each group's table."""
    names = set(re.findall(r"(?m)^#([a-z]+(?:-[a-z]+)+):", template))
    tables = {}
    for group in re.split(r"(?m)^## ", template)[1:]:
        title, body = group.split("\n", 1)
        tables[title] = rows = ["| setting | default | SIGHUP | meaning |\n", "| --- | --- | --- | --- |\n"]
        for comment, name, value in re.findall(r"((?:^# .*\n)+)^#([a-z-]+):(.*)$", body, re.MULTILINE):
            meaning = " ".join(line[2:] for line in comment.splitlines())
            default = f"`{value.strip()}`" if value else ""
            if explained := re.fullmatch(r"(.*) \(default: (.*)\)", meaning):
                meaning, default = explained[1], code(explained[2], names)
            reloads = "yes" if meaning.endswith(SIGHUP) else ""
            rows.append(f"| `{name}` | {default} | {reloads} | {code(meaning.removesuffix(SIGHUP), names)} |\n")
    return tables


def code(text: str, names: set[str]) -> str:
    text = CODE.sub(lambda match: f"`{match[1] or match[2]}`", text)
    return re.sub(r"(?<![\w`-])[a-z]+(?:-[a-z]+)+(?![\w`-])", lambda word: f"`{word[0]}`" if word[0] in names else word[0], text)


main()
