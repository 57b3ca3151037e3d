"""Writes the manual pages of understudy and its subcommands to a folder, from `understudy --experimental-dump-help`.

What --help prints is what they contain; understudy(1) adds the files, variables and exit statuses, which all commands share.
"""

import json
import os
import re
import sys

TITLE = "Understudy"

ENVIRONMENT = [
    (
        "UNDERSTUDY_NAME",
        "The setting of that name, such as UNDERSTUDY_SESSION_IDLE for session-idle. The option of the command wins over it.",
    ),
    ("UNDERSTUDY_CONFIG", "The configuration file. An empty value means no file."),
    ("STATE_DIRECTORY", "The folder for data, if no setting names one. systemd sets it for the service."),
    ("XDG_DATA_HOME, HOME", "The folder for data is in them, if STATE_DIRECTORY is not set."),
    (
        "LISTEN_FDS, LISTEN_PID, LISTEN_FDNAMES, NOTIFY_SOCKET, WATCHDOG_USEC",
        "The sockets that systemd passes (that for operators is called operators), and how the server reports to systemd; see sd_listen_fds(3) and sd_notify(3).",
    ),
]

FILES = [
    (
        "/etc/understudy/understudy.yaml",
        "The configuration file: each line is a setting, such as \"port: 8080\". 'understudy config' shows which settings apply.",
    ),
    (
        "/var/lib/understudy",
        "The data of the service: understudy.sqlite (accounts, products and the audit log). Only the user understudy can "
        "read it. Purging the package deletes it.",
    ),
]

STATUS = [
    ("0", "The command succeeded; the server stopped after it had answered all requests that it had accepted."),
    ("1", "The command failed. A line on standard error says why."),
    ("64", "An option, a variable or a setting is invalid."),
]

EXAMPLES = [
    (
        "Try the demonstration on another port than the service's, and log in to it:",
        ["understudy serve --demo --port 8081", "curl -d username=batman -d password=bruce localhost:8081/login"],
    ),
    (
        "Add an account to the service, and list the accounts:",
        [
            "sudo -u understudy understudy account add --email lisa@rules.example --name Lisa",
            "sudo -u understudy understudy account list",
        ],
    ),
    (
        "Copy the service's database while the server runs:",
        ["sudo -u understudy understudy backup /var/lib/understudy/monday.sqlite"],
    ),
]


def text(words):
    """Text as roff reads it."""
    words = words.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return re.sub(r"^\.", "\\&.", words, flags=re.M)


def bold(words):
    return f"\\fB{text(words)}\\fR"


def entry(term, description):
    return [".TP", term, description]


def name(argument):
    """--host, or -h."""
    names = sorted(argument.get("names") or [], key=lambda each: each["kind"] != "short")
    return ", ".join(bold(("-" if each["kind"] == "short" else "--") + each["name"]) for each in names)


def usage(argument):
    """The argument as the synopsis shows it."""
    value = f"\\fI{text(argument.get('valueName', ''))}\\fR"
    if argument["kind"] == "positional":
        shown = value
    else:
        preferred = argument["preferredName"]
        shown = bold(("-" if preferred["kind"] == "short" else "--") + preferred["name"])
        shown += f" {value}" if argument["kind"] == "option" else ""
    if argument.get("isRepeating"):
        shown += " ..."
    return f"[{shown}]" if argument.get("isOptional") else shown


def term(argument):
    """The argument as the list of options shows it."""
    value = f"\\fI{text(argument.get('valueName', ''))}\\fR"
    if argument["kind"] == "positional":
        return value
    return name(argument) + (f" {value}" if argument["kind"] == "option" else "")


def heading(words):
    return f'.SH "{text(words).upper()}"'


def sentence(words):
    return words if words.endswith((".", ")", "?", "!")) else words + "."


def page(command, path, all_pages):
    title = "-".join(path)
    shown = [each for each in command.get("arguments", []) if each.get("shouldDisplay", True)]
    subcommands = [each for each in command.get("subcommands", []) if each["commandName"] != "help"]
    # No date: the same program gives the same pages.
    lines = [f'.TH {text(title).upper()} 1 "" "{TITLE}" "User Commands"']
    # Names can be copied: no line ends within one.
    lines += [".nh", ".ad l"]
    abstract = command["abstract"].rstrip(".")
    lines += [".SH NAME", f"{text(title)} \\- {text(abstract[:1].lower() + abstract[1:])}"]

    lines += [".SH SYNOPSIS"]
    if subcommands:
        lines += [f"{bold(' '.join(path))} \\fIsubcommand\\fR [\\fIoption\\fR ...]"]
    else:
        general = {"help", "version"}
        own = [each for each in shown if (each.get("preferredName") or {}).get("name") not in general]
        # As in --help: a long list would help no reader.
        arguments = [usage(each) for each in own] if len(own) <= 12 else ["[\\fIoption\\fR ...]"]
        lines += [" ".join([bold(" ".join(path))] + arguments)]

    lines += [".SH DESCRIPTION", text(sentence(command["abstract"]))]
    for paragraph in command.get("discussion", "").split("\n\n"):
        if paragraph:
            lines += [".PP"] + "\n.br\n".join(text(line) for line in paragraph.split("\n")).split("\n")

    if subcommands:
        lines += [".SH SUBCOMMANDS"]
        for each in subcommands:
            page_name = "-".join(path + [each["commandName"]])
            lines += entry(bold(each["commandName"]), f"{text(sentence(each['abstract']))} See {bold(page_name)}(1).")

    sections = {}
    for argument in shown:
        sections.setdefault(argument.get("sectionTitle") or "Options", []).append(argument)
    # What is the command's own comes first.
    for section in sorted(sections, key=lambda each: each != "Options"):
        lines += [heading(section)]
        for argument in sections[section]:
            lines += entry(term(argument), text(argument.get("abstract", "")))

    if len(path) == 1:
        for section, entries in (("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES), ("EXIT STATUS", STATUS)):
            lines += [heading(section)]
            for key, description in entries:
                lines += entry(bold(key), text(description))
        lines += [".SH EXAMPLES"]
        for purpose, commands in EXAMPLES:
            lines += [".PP", text(purpose), ".PP", ".nf", ".RS 4"] + [text(each) for each in commands] + [".RE", ".fi"]
    if len(path) == 1:
        related = [each for each in all_pages if each != title]
    else:
        related = ["-".join(path[:-1])] + [f"{title}-{each['commandName']}" for each in subcommands]
        related += ["understudy"] if len(path) > 2 else []
    lines += [heading("See also"), ", ".join(f"{bold(each)}(1)" for each in related)]
    return "\n".join(lines) + "\n"


def walk(command, path):
    path = path + [command["commandName"]]
    yield command, path
    for each in command.get("subcommands", []):
        if each["commandName"] != "help":
            yield from walk(each, path)


def main(folder):
    root = json.load(sys.stdin)["command"]
    pages = list(walk(root, []))
    names = ["-".join(path) for _, path in pages]
    for command, path in pages:
        with open(os.path.join(folder, "-".join(path) + ".1"), "w", encoding="utf-8") as file:
            file.write(page(command, path, names))


main(sys.argv[1])
