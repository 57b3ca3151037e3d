"""Prepares the documents of a folder, which has the layout of the repository, for the package.

A link to a file that is not in the folder becomes text, followed by the path of the file in the source code.
"""

import os
import re
import sys

LINK = re.compile(r"\[([^\]]*)\]\((?![a-z]+:|#)([^)#]+)(#[^)]*)?\)")


def main() -> None:
    root = sys.argv[1]
    for folder, _, names in os.walk(root):
        for name in names:
            if not name.endswith(".md"):
                continue
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            with open(path, "w", encoding="utf-8") as file:
                file.write(LINK.sub(lambda link: replaced(link, root, folder), text))


def replaced(link: re.Match, root: str, folder: str) -> str:
    target = os.path.normpath(os.path.join(folder, link[2]))
    if os.path.exists(target):
        return link[0]
    return f"{link[1]} (`{os.path.relpath(target, root)}` in the source code)"


main()
