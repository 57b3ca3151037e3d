"""Called by scripts/checks/mutations: changes a target in a copy of the package, and looks for what finds each change.

usage: mutations.py COPY TARGET ONLY tests|compare|list TESTS OPTION...
"""

import collections
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import signal
import stat
import subprocess
import sys
import threading

COPY, (TARGET, ONLY, MODE, TESTS), OPTIONS = pathlib.Path(sys.argv[1]), sys.argv[2:6], sys.argv[6:]
FOLDER = COPY / "Sources" / TARGET

# How long tests may take, in seconds: a change can let them wait forever.
LONGEST = 120

# The pages to compare after a change in a folder. The login page is needed for events of users.
PAGES = {
    "Login": ["login", "home"],
    "Home": ["login", "home"],
    "Registration": ["login", "register"],
    "Signup": ["signup"],
    "Products": ["products", "product"],
    "Email": ["email"],
    "Account": ["account"],
    "Codes": ["forgot", "reset", "verify"],
    "Factors": ["secondFactor", "factors"],
    "Passwords": ["signup"],
    "Lists": ["login", "products"],
    "Collaborators": ["register", "signup", "account", "factors", "secondFactor"],
    "": ["login", "home", "products", "email"],
}

# How much memory something takes has no effect on what users notice; descriptions are in the OpenAPI document.
IGNORED = re.compile(r"func (==|<|>)|memorySize|MemoryLayout|capacity|precondition|hasSameBytes|^import|^public import|^ *///|^ *//")

# Operators of Swift's standard library that are free: each changed operator gets one of its own, so that only one place changes.
SYMBOLS = [chr(code) for code in range(0x2A00, 0x2AFF)]

PREAMBLE = """import Glibc

/// The number of the change that applies.
public let selectedMutation = getenv("UNDERSTUDY_MUTATION").flatMap { Int(String(cString: $0)) } ?? 0

public func mutated<Value>(_ number: Int, _ original: @autoclosure () -> Value, _ other: @autoclosure () -> Value) -> Value {
    selectedMutation == number ? other() : original()
}
"""

COMPARISONS = {">=": ">", ">": ">=", "<=": "<", "<": "<=", "==": "!=", "!=": "=="}
LOGICAL = {"&&": ("||", "LogicalConjunctionPrecedence"), "||": ("&&", "LogicalDisjunctionPrecedence")}

Mutation = collections.namedtuple("Mutation", "number path line kind original changed")


class Generator:
    def __init__(self, excluded):
        self.excluded = excluded  # numbers that do not compile
        self.mutations = []
        self.operators = []
        self.number = 0
        text = "\n".join(path.read_text() for path in FOLDER.rglob("*.swift"))
        self.messages = re.findall(r"static let (\w+) = Message\b", text)

    def add(self, path, line, kind, original, changed):
        """Numbers a change; None if it must be left out."""
        self.number += 1
        if self.number in self.excluded:
            return None
        self.mutations.append(Mutation(self.number, path, line, kind, original.strip(), changed.strip()))
        return self.number

    def operator(self, number, operator):
        symbol = SYMBOLS[number % len(SYMBOLS)] + (SYMBOLS[number // len(SYMBOLS)] if number >= len(SYMBOLS) else "")
        if operator in LOGICAL:
            other, precedence = LOGICAL[operator]
            self.operators.append(
                f"infix operator {symbol}: {precedence}\n"
                f"public func {symbol} (left: Bool, right: @autoclosure () throws -> Bool) rethrows -> Bool {{\n"
                f"    selectedMutation == {number} ? try left {other} right() : try left {operator} right()\n}}\n"
            )
        elif operator == "!":
            self.operators.append(
                f"prefix operator {symbol}\n"
                f"public prefix func {symbol} (value: Bool) -> Bool {{ selectedMutation == {number} ? value : !value }}\n"
            )
        else:
            kind = "Equatable" if operator in ("==", "!=") else "Comparable"
            self.operators.append(
                f"infix operator {symbol}: ComparisonPrecedence\n"
                f"public func {symbol} <Value: {kind}>(left: Value, right: Value) -> Bool {{\n"
                f"    selectedMutation == {number} ? left {COMPARISONS[operator]} right : left {operator} right\n}}\n"
            )
            if kind == "Equatable":
                self.operators.append(
                    f"public func {symbol} <Value>(left: Value?, right: _OptionalNilComparisonType) -> Bool {{\n"
                    f"    selectedMutation == {number} ? left {COMPARISONS[operator]} right : left {operator} right\n}}\n"
                )
        return symbol

    def tokens(self, path, number, line):
        """The line with a switch in each token that can change."""
        pattern = re.compile(
            r'"(?:[^"\\]|\\.)*"'  # a text
            r"|(?<=[ (\[])(?:>=|<=|==|!=|&&|\|\||<|>)(?= )"  # an operator between spaces
            r"|(?<![\w)\]?!])!(?=[\w(])"  # a negation
            r"|(?<![\w.$])(?:true|false)\b"
            r"|(?<![\w.$])\d[\d_]*(?![\w.])"  # an integer
            r"|(?<![\w)\]?])\.\w+\b"  # an implicit member
        )
        declares = re.search(r"gives:|\.renders\(|\.alerts\(|\.goes\(|case ", line)

        def replace(match):
            token = match.group()
            if token.startswith('"'):
                if declares and "description" not in line or "\\(" in token or not token.strip('"'):
                    return token
                changed = token[:-1] + 'x"'
                key = self.add(path, number, "text", token, changed)
                return f"mutated({key}, {token}, {changed})" if key else token
            if token in COMPARISONS or token in LOGICAL:
                changed = COMPARISONS.get(token) or LOGICAL[token][0]
                key = self.add(path, number, "condition", line, line[: match.start()] + changed + line[match.end() :])
                return self.operator(key, token) if key else token
            if token == "!":
                key = self.add(path, number, "condition", line, line[: match.start()] + line[match.end() :])
                return self.operator(key, token) if key else token
            if token in ("true", "false"):
                changed = "false" if token == "true" else "true"
                key = self.add(path, number, "constant", line, line[: match.start()] + changed + line[match.end() :])
                return f"mutated({key}, {token}, {changed})" if key else token
            if token[0].isdigit():
                if declares:
                    return token
                changed = str(int(token.replace("_", "")) + 1)
                key = self.add(path, number, "constant", line, line[: match.start()] + changed + line[match.end() :])
                return f"mutated({key}, {token}, {changed})" if key else token
            name = token[1:]
            if name in self.messages and not declares:
                other = self.messages[(self.messages.index(name) + 1) % len(self.messages)]
                key = self.add(path, number, "message", token, f".{other}")
                return f"mutated({key}, Message.{name}, Message.{other})" if key else token
            return token

        return pattern.sub(replace, line)

    STATEMENT = re.compile(
        r"^ {8,}(?!return|let |var |guard |if |self\.)"
        r"(?:[\w?!.]+\([^{}]*\)|(?:try )?(?:await )?[\w?.]+\(.*\)|[\w?.]+ \+?= [^{}]*[\w)\]])$"
    )

    def statements(self, path, lines, originals):
        """The lines with switches that leave out a statement, or swap it with the next one."""
        result = list(lines)
        is_statement = [
            bool(self.STATEMENT.match(line)) and line.count("(") == line.count(")") and not IGNORED.search(line)
            for line in originals
        ]
        # An initialiser must set each property once.
        initializer = None
        for index, line in enumerate(originals):
            start = re.match(r"^( *)(?:public |private |convenience )*init\(", line)
            if start and not line.rstrip().endswith("}"):
                initializer = start.group(1) + "}"
            if initializer is not None:
                is_statement[index] = False
                if line == initializer:
                    initializer = None
        for index, line in enumerate(originals):
            if is_statement[index]:
                key = self.add(path, index + 1, "left out", line, "(nothing)")
                if key:
                    indent = line[: len(line) - len(line.lstrip())]
                    result[index] = f"{indent}if selectedMutation != {key} {{ {result[index].strip()} }}"
        index = 0
        while index + 1 < len(originals):
            indents = [len(line) - len(line.lstrip()) for line in originals[index : index + 2]]
            if is_statement[index] and is_statement[index + 1] and indents[0] == indents[1]:
                first, second = originals[index].strip(), originals[index + 1].strip()
                key = self.add(path, index + 1, "order", f"{first}; {second}", f"{second}; {first}")
                if key:
                    indent = " " * indents[0]
                    a, b = result[index].strip(), result[index + 1].strip()
                    result[index] = f"{indent}if selectedMutation == {key} {{ {b}; {a} }} else {{ {a}"
                    result[index + 1] = f"{indent}{b} }}"
                    index += 1
            index += 1
        return result

    def run(self):
        sources = {}
        for path in sorted(FOLDER.rglob("*.swift")):
            name = str(path.relative_to(FOLDER))
            if not re.search(ONLY, name) or name == "Mutations.swift":
                continue
            originals = ORIGINALS[name].split("\n")
            lines = [
                line if IGNORED.search(line) else self.tokens(name, index + 1, line)
                for index, line in enumerate(originals)
            ]
            sources[path] = "\n".join(self.statements(name, lines, originals))
        sources[FOLDER / "Mutations.swift"] = PREAMBLE + "\n" + "\n".join(self.operators)
        for path, text in sources.items():
            path.write_text(text)


def swift(*arguments):
    return subprocess.run(
        ["swift", "build", "--package-path", str(COPY), *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def generate():
    """Changes that compile."""
    excluded = set()
    for _ in range(100):
        generator = Generator(excluded)
        generator.run()
        result = swift("--target", TARGET)
        if result.returncode == 0:
            return generator.mutations
        errors = set(re.findall(rf"Sources/{TARGET}/(\S+\.swift):(\d+):\d+: error", result.stdout))
        broken = {m.number for m in generator.mutations if (m.path, str(m.line)) in errors}
        # The second line of two that are swapped.
        broken |= {m.number for m in generator.mutations if m.kind == "order" and (m.path, str(m.line + 1)) in errors}
        if not broken:
            # An error in a line without a change is that of one before.
            for path, line in errors:
                before = [m for m in generator.mutations if m.path == path and m.line < int(line)]
                broken |= {m.number for m in before if m.line == before[-1].line}
        if not broken:
            sys.exit(result.stdout[-4000:])
        # Those that take more of a line are left out first.
        for kinds in (("order", "left out"), None):
            chosen = {m.number for m in generator.mutations if m.number in broken and (kinds is None or m.kind in kinds)}
            if chosen:
                break
        excluded |= chosen
    sys.exit("the changed sources do not compile after 100 attempts")


def tested(products, mutation):
    """What shows the change: a document, or the first test that fails; None if nothing does."""
    program = products / "understudy"
    if documents(program, mutation.number) != documents(program, 0):
        return "documents"
    command = [products / "understudyPackageTests.xctest", "--testing-library", "swift-testing", "--filter", TESTS]
    failed, options = None, {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(command, env=selecting(mutation.number), **options) as tests:
        watchdog = threading.Timer(LONGEST, tests.kill)
        watchdog.start()
        for line in tests.stdout:
            if "Test run with 0 tests" in line:
                sys.exit(f"no test matches {TESTS}")
            if failed := re.search(r"Test (.*?) recorded an issue", line):
                # One is enough.
                tests.kill()
                break
        watchdog.cancel()
    if failed:
        return failed.group(1)
    return {0: None, -signal.SIGKILL: "the tests take too long"}.get(tests.returncode, f"status {tests.returncode}")


def selecting(number):
    return os.environ | {"UNDERSTUDY_MUTATION": str(number)}


def run(command, number):
    return subprocess.run(command, env=selecting(number), stdout=subprocess.PIPE, text=True)


@functools.cache
def documents(program, number):
    """What a changed program says about its pages; 0 for the program without a change."""
    results = (run([program, *command], number) for command in (["openapi"], ["messages", "export"]))
    return [(result.returncode, result.stdout) for result in results]


def wrapper(program, number):
    path = COPY / f"version-{number}"
    path.write_text(f"#!/bin/sh\nUNDERSTUDY_MUTATION={number} exec '{program}' \"$@\"\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def folder_of(mutation):
    return mutation.path.split("/")[0] if "/" in mutation.path else ""


def compare(program, original, mutation):
    """What shows the change; None if nothing does."""
    changed = wrapper(program, mutation.number)
    # Most changes are found among few pairs of states, fifteen times as fast.
    cause = difference(program, original, changed, mutation, 20) or difference(program, original, changed, mutation, 300)
    changed.unlink()
    return cause


def difference(program, original, changed, mutation, pairs):
    command = [program, "compare", original, changed, "--json", "--pairs", pairs, "--seconds", 600]
    for page in PAGES[folder_of(mutation)]:
        command += ["--page", page]
    result = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True)
    if result.returncode not in (0, 1, 2):
        return f"status {result.returncode}"
    report = json.loads(result.stdout)
    for page in report["pages"]:
        for found in page["differences"]:
            return f"{page['page']}: after {len(found['steps'])} of {found['event']}: {found['cause']}"
    return "documents" if documents(program, mutation.number) != documents(program, 0) else None


ORIGINALS = {str(path.relative_to(FOLDER)): path.read_text() for path in FOLDER.rglob("*.swift")}
(FOLDER / "Mutations.swift").unlink(missing_ok=True)
ORIGINALS.pop("Mutations.swift", None)
mutations = generate()
if MODE == "list":
    for m in mutations:
        print(f"{m.number}\t{m.path}:{m.line}\t{m.kind}\t{m.original}\t{m.changed}")
    sys.exit()
if MODE == "compare" and (unknown := {folder_of(mutation) for mutation in mutations} - PAGES.keys()):
    sys.exit(f"which pages depend on {', '.join(sorted(unknown))}? Add them to PAGES.")
print(f"{len(mutations)} changes; building", file=sys.stderr)
options = [*OPTIONS, "--product", "understudy"] if MODE == "compare" else ["--build-tests"]
built = swift(*options)
if built.returncode:
    sys.exit(built.stdout[-4000:])
if MODE == "compare":
    program = pathlib.Path(swift("-c", "release", "--show-bin-path").stdout.strip()) / "understudy"
    original = wrapper(program, 0)
    causes = (compare(program, original, mutation) for mutation in mutations)
else:
    products = pathlib.Path(swift("--show-bin-path").stdout.strip())
    if failing := tested(products, Mutation(0, "", 0, "", "", "")):
        sys.exit(f"without a change, this fails: {failing}")
    causes = concurrent.futures.ThreadPoolExecutor(os.cpu_count()).map(lambda mutation: tested(products, mutation), mutations)
found, missed = collections.Counter(), collections.defaultdict(list)
for index, (mutation, cause) in enumerate(zip(mutations, causes), 1):
    if cause:
        found[mutation.kind] += 1
    else:
        missed[mutation.kind].append(mutation)
    place = f"{mutation.path}:{mutation.line} {mutation.kind}: {mutation.original} → {mutation.changed}"
    print(f"[{index}/{len(mutations)}] {'found' if cause else 'NOT FOUND'}: {place}\n    {cause or ''}", file=sys.stderr)

print("| kind | changes | found |\n| --- | --- | --- |")
for kind in sorted(set(found) | set(missed)):
    print(f"| {kind} | {found[kind] + len(missed[kind])} | {found[kind]} |")
print(f"| all | {len(mutations)} | {sum(found.values())} ({100 * sum(found.values()) // len(mutations)} %) |")
print("\nNot found:")
for mutation in (m for kind in missed.values() for m in kind):
    print(f"- {mutation.path}:{mutation.line}, {mutation.kind}: `{mutation.original}` → `{mutation.changed}`")
