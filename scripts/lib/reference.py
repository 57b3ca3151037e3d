"""Prints docs/reference.md: what the author of a page uses, from the symbol graphs in a folder.

usage: python3 scripts/lib/reference.py FOLDER
"""

import json
import pathlib
import re
import sys

# The types and functions of each task, in the order of the page. Of those with a `-`, the page has no members.
TASKS = {
    "Declare a page": "Page PageContext BusinessLogicController Eventable EventTable EventRow Event Controllable ValidationRule",
    "Fields and values": "Field ScreenValue ChoiceValue ObjectValue ObjectSchema Member TextFormat Amount Day Timestamp Value ValueSchema- "
    "JSONType-",
    "Messages, outputs and pages to go to": "Message Output Destination CommandDeclaration Command",
    "State and time": "NoState SessionValue Shared SessionValues- EndedSession WallClock SystemClock Topic TopicPublisher Topics",
    "Data and collaborators": "PageDependencies PageDatabase PageTransaction SQLStep SQLText SQLStatement- SQLParameter- SQLRow SQLValue "
    "DataHaveChanged CollaboratorError ResultExamples SecretResult",
    "Mail": "UserMails MailContent MailWriting- PlainMails Mail Outbox MailError MailTooLong MemoryOutbox",
    "Users and roles": "User Identity ClientContext SessionID Account AccountID AccountService- RoleError",
    "Translate": "Translations TranslationsError",
    "Test": "TestControllable Rehearsal Screens StubIdentity ManualClock SequenceRandom check CheckedPages Property Situation CheckResult "
    "ServiceTransport ResponseRecorder-",
    "Serve": "Application UnderstudyService UnderstudyServer ServiceConfiguration SessionMode AllowedOrigins PathPrefix BrowserPages- "
    "AdminServer-",
}
# Everything public of these modules is in a task, or here: what only the service and other programs use.
COMPLETE = ["BusinessLogic", "UnderstudyPages", "UnderstudyCommandLine", "UnderstudyTesting"]
OTHERS = set("EventError ExpectedValue FieldFault NoBound UpdatingEventable CollaboratorFailure EventExampleError".split())
MODULES = [*COMPLETE, "Understudy", "Accounts", "AccountsDatabase"]
# What conformances to the protocols of the standard library and of fields add.
CONFORMANCES = re.compile(
    r"hash\(into:\)|encode\(to:\)|init\((from|rawValue|screenValue|\w+Literal):\)|(debugD|d)escription|customMirror|errorDescription"
    r"|rawValue|valueSchema|screenValue|screenMessage|allCases|customDumpValue|startIndex|endIndex|distance\(to:\)|advanced\(by:\)"
)
NOISE = re.compile(r"@escaping |@Sendable |@autoclosure |@MainActor |nonisolated\(nonsending\) |nonisolated ")
# Names that a conformance also gives to the type itself. Which one the compiler prints depends on the order in which it reads the files.
REPEATED = re.compile(r"\b(\w+)\.(?:\w+\.)?\1\b")
# Where a test reports its failures, which its author does not pass.
PLACE = ", fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column"
HEAD = """# Reference

What the author of a page uses: the declaration of each type and its members, and the first sentence of its documentation. The tutorial and the
articles are in the documentation (`scripts/docs --serve`), with everything else that is public. A program that imports `Understudy` also sees
`BusinessLogic` and `UnderstudyPages`. `scripts/docs --update` writes this page.
"""


class Symbol:
    def __init__(self, record: dict, module: str) -> None:
        self.path: list[str] = record["pathComponents"]
        self.module = module
        self.kind: str = record["kind"]["identifier"].removeprefix("swift.")
        location = record.get("location")
        self.file = location["uri"].split("/Sources/")[-1] if location and "/Sources/" in location["uri"] else ""
        self.position = (self.file, location["position"]["line"] if location else 0)
        declaration = "".join(part["spelling"] for part in record.get("declarationFragments", []))
        self.declaration = REPEATED.sub(r"\1", " ".join(NOISE.sub("", declaration).split()).replace(PLACE, ""))
        self.summary = summary([line["text"] for line in record.get("docComment", {}).get("lines", [])])

    @property
    def base(self) -> str:
        return self.path[-1].split("(")[0]


def main() -> None:
    symbols = read(pathlib.Path(sys.argv[1]))
    top = {symbol.base: symbol for symbol in symbols if len(symbol.path) == 1 and symbol.kind != "extension"}
    tasks = {task: names.split() for task, names in TASKS.items()}
    named = {name.rstrip("-") for names in tasks.values() for name in names} | OTHERS
    new = sorted(name for name, symbol in top.items() if symbol.module in COMPLETE and name not in named)
    if unknown := sorted(named - set(top)) + new:
        sys.exit(f"scripts/lib/reference.py: TASKS or OTHERS must have exactly what is public; not so: {', '.join(unknown)}")
    lines = [HEAD.rstrip(), ""]
    lines += [f"- [{task}](#{task.lower().replace(' ', '-').replace(',', '')})" for task in tasks]
    for task, names in tasks.items():
        lines += ["", f"## {task}"]
        for name in names:
            lines += entry(top[name.rstrip("-")], [] if name.endswith("-") else symbols)
    print("\n".join(lines))


def read(folder: pathlib.Path) -> list[Symbol]:
    symbols = []
    for path in sorted(folder.glob("*.symbols.json")):
        module = path.name.split(".")[0].split("@")[0]
        extended = path.name.split(".")[0].split("@")[-1]
        if module in MODULES and extended in [*MODULES, module]:
            symbols += [Symbol(record, module) for record in json.loads(path.read_text(encoding="utf-8"))["symbols"]]
    return symbols


def entry(symbol: Symbol, symbols: list[Symbol]) -> list[str]:
    """Returns the lines about a type or a function."""
    lines = ["", f"### {symbol.base}", ""]
    lines += [f"`{symbol.declaration}` ([{symbol.module}](../Sources/{symbol.file})). {symbol.summary}"]
    members = [
        member
        for member in sorted(symbols, key=lambda member: (member.module != symbol.module, member.position))
        if len(member.path) > 1 and member.path[0] == symbol.path[0] and member.kind != "extension" and not is_conformance(member)
    ]
    # Of overloads that the same sentence describes, the one for any number of fields, or the first.
    chosen: dict[tuple, Symbol] = {}
    for member in members:
        key = (*member.path[1:-1], member.base, member.summary)
        if key not in chosen or "<each " in member.declaration:
            chosen[key] = member
    if chosen:
        lines += ["", "| member | summary |", "| --- | --- |"]
        for member in chosen.values():
            prefix = "".join(f"{name}." for name in member.path[1:-1])
            lines.append(f"| {prefix and f'`{prefix}` '}`{escaped(member.declaration)}` | {escaped(member.summary)} |")
    return lines


def is_conformance(member: Symbol) -> bool:
    if member.kind == "func.op" or "StringInterpolation" in member.path:
        return True
    return member.kind != "enum.case" and bool(CONFORMANCES.fullmatch(member.path[-1]))


def summary(lines: list[str]) -> str:
    """Returns the first sentence of a docstring, with names in code instead of links."""
    paragraph = " ".join(lines[: lines.index("")] if "" in lines else lines)
    sentence = re.split(r"(?<=[.:])\s+(?=[A-Z`\"])", paragraph.strip())[0].removesuffix(":")
    if not sentence or sentence.startswith("- "):
        return ""
    sentence += "" if sentence.endswith(".") else "."
    sentence = re.sub(r"``(?:[^`]*/)?([^`/]+)``", r"`\1`", sentence)
    return re.sub(r"<doc:(?:.*/)?([^>]+)>", r"\1", sentence)


def escaped(text: str) -> str:
    return text.replace("|", "\\|")


main()
