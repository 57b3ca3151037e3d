"""Prints which folder of a target refers to which other folder, lowest folder first. Exits with 1 if folders form a cycle.

A folder refers to another one if it names a type that is declared there, or extends it. Files at the root of a target are the
folder "(root)", which lies above all others: no folder may refer to it. Members are not followed, since their names alone do
not say whose they are.
"""

import argparse
import collections
import graphlib
import pathlib
import re
import sys

SOURCES = pathlib.Path(__file__).resolve().parents[3] / "Sources"
ROOT = "(root)"

TOKEN = re.compile(r"\w+|\S")
TYPE_KEYWORDS = {"struct", "class", "enum", "protocol", "actor", "typealias", "associatedtype"}
MEMBERS_THAT_START_WITH_CLASS = {"func", "var", "let", "subscript", "override", "final"}
GENERIC_PARAMETERS = re.compile(r"\b(?:func|struct|class|enum|actor|typealias|init)\b[^\n(<{]*<([^>]*)>")


def code(text):
    """Returns the text without comments and string literals; interpolated expressions count as code."""
    result, position = [], 0
    start = re.compile(r'//|/\*|#*"""|#*"')
    while match := start.search(text, position):
        result.append(text[position : match.start()])
        position = match.end()
        if match[0] == "//":
            position = text.find("\n", position) % (len(text) + 1)
        elif match[0] == "/*":
            depth = 1
            for mark in re.compile(r"/\*|\*/").finditer(text, position):
                depth += 1 if mark[0] == "/*" else -1
                position = mark.end()
                if depth == 0:
                    break
        else:
            position = literal(text, position, match[0], result)
    return " ".join(result + [text[position:]])


def literal(text, position, quote, result):
    """Skips a string literal from after its opening quote, and appends its interpolated expressions. Returns its end."""
    hashes = re.escape("#" * quote.count("#"))
    line_end = "" if quote.endswith('"""') else r"|\n"
    marks = re.compile(rf"(\\{hashes}\()|\\{hashes}.|{re.escape(quote[::-1])}{line_end}")
    while mark := marks.search(text, position):
        position = mark.end()
        if mark[1]:
            depth, first = 1, position
            while depth > 0 and position < len(text):
                if text[position] == '"':
                    position = literal(text, position + 1, '"', result)
                    continue
                depth += {"(": 1, ")": -1}.get(text[position], 0)
                position += 1
            result.append(code(text[first : position - 1]))
        elif not mark[0].startswith("\\"):
            return position
    return len(text)


class File:
    """The types that a file declares and names."""

    def __init__(self, path, target):
        self.folder = str(path.parent.relative_to(target)) if path.parent != target else ROOT
        text = code(path.read_text())
        self.declared = set()  # visible to other files, as A or A.B
        self.own = set()  # names that mean something else in this file: private and nested types, generic parameters
        self.used = collections.Counter()
        for parameters in GENERIC_PARAMETERS.findall(text):
            self.own.update(re.findall(r"(?:^|,)\s*(?:each\s+)?(\w+)", parameters))
        self.scan(TOKEN.findall(re.sub(r"(?m)^.*\bimport\b.*$", "", text)))

    def scan(self, tokens):
        scopes, name = [], None  # for each open brace the type whose body it opens, or None
        for index, token in enumerate(tokens):
            before, after = tokens[index - 1] if index else "", tokens[index + 1 : index + 2]
            is_type = token in TYPE_KEYWORDS and after and before != "."
            if is_type and not (token == "class" and after[0] in MEMBERS_THAT_START_WITH_CLASS) and after[0].isidentifier():
                name = ".".join([scope for scope in scopes if scope] + [after[0]])
                is_private = any(word in ("private", "fileprivate") for word in self.modifiers(tokens, index))
                if is_private or scopes:
                    self.own.add(after[0])
                if not is_private and None not in scopes:
                    self.declared.add(name)
                name = after[0]
            elif token == "extension":
                name = "".join(self.path(tokens, index + 1))
            elif token == "{":
                scopes.append(name)
                name = None
            elif token == "}":
                if scopes:
                    scopes.pop()
            elif token[0].isupper() and before != "." and before not in TYPE_KEYWORDS:
                path = "".join(self.path(tokens, index)).split(".")
                for length in range(1, len(path) + 1):
                    self.used[".".join(path[:length])] += 1

    @staticmethod
    def modifiers(tokens, index):
        """The words before a declaration, back to the end of the previous declaration."""
        for token in reversed(tokens[max(0, index - 4) : index]):
            if not token.isidentifier():
                return
            yield token

    @staticmethod
    def path(tokens, index):
        """The tokens of `A.B.C` that start there, as far as they can be types."""
        yield tokens[index]
        while tokens[index + 1 : index + 2] == ["."] and tokens[index + 2 : index + 3] and tokens[index + 2][0].isupper():
            yield "." + tokens[index + 2]
            index += 2


def dependencies(target):
    """Returns, for each folder, the folders that it refers to, each with the types that it names."""
    paths = [path for path in sorted(target.rglob("*.swift")) if ".docc/" not in path.as_posix()]
    files = [File(path, target) for path in paths]
    homes = collections.defaultdict(set)
    for file in files:
        for name in file.declared:
            homes[name].add(file.folder)
    edges = {file.folder: collections.defaultdict(collections.Counter) for file in files}
    for file in files:
        for name, count in file.used.items():
            # A name that two folders declare is not ambiguous to the compiler: one of them is nested or conditional.
            if name.split(".")[0] in file.own or len(homes[name]) != 1:
                continue
            (home,) = homes[name]
            if home != file.folder:
                edges[file.folder][home][name] += count
    return edges


def described(folder, used):
    names = ", ".join(f"{name} ({count})" for name, count in sorted(used.items()))
    return f"{folder}: {names}"


def main():
    parser = argparse.ArgumentParser(prog="scripts/checks/folder-dependencies", description="Prints which folder of a target refers to which other folder.")
    parser.add_argument("--target", help="only this target of Sources")
    name = parser.parse_args().target
    targets = [SOURCES / name] if name else sorted(path for path in SOURCES.iterdir() if path.is_dir())
    if not all(path.is_dir() for path in targets):
        sys.exit(f"error: there is no target '{name}' in {SOURCES.name}")
    has_cycle = False
    for target in targets:
        edges = dependencies(target)
        if len(edges) < 2:
            continue
        print(target.name)
        graph = {folder: set(used) for folder, used in edges.items()}
        if ROOT in graph:
            graph[ROOT] = set(graph) - {ROOT}
        try:
            order = list(graphlib.TopologicalSorter(graph).static_order())
        except graphlib.CycleError as error:
            has_cycle = True
            order = sorted(edges)
            # graphlib lists each folder before the one that refers to it.
            print(f"  CYCLE: {' → '.join(reversed(error.args[1]))}")
        for folder in order:
            print(f"  {folder}")
            for other, used in sorted(edges[folder].items()):
                print(f"    → {described(other, used)}")
    sys.exit(1 if has_cycle else 0)


main()
