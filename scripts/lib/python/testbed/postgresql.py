"""The programs of PostgreSQL, as Debian's packages install them."""

import glob
import os
import pwd
import subprocess
from pathlib import Path

INITDB = ("initdb", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C.UTF-8")
# The options of `psql` before a query.
QUERY = ("-XAtq", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-c")


def folder_of_programs():
    """The folder of the newest PostgreSQL."""
    folders = glob.glob("/usr/lib/postgresql/*/bin")
    if not folders:
        raise SystemExit("PostgreSQL was not found; install Debian's package postgresql")
    return Path(max(folders, key=lambda folder: int(folder.split("/")[4])))


def process_options(folder):
    """The options of a process of PostgreSQL, which gets the folder: it rejects root."""
    user = "postgres" if os.getuid() == 0 else None
    if user:
        entry = pwd.getpwnam(user)
        os.chown(folder, entry.pw_uid, entry.pw_gid)
    return {"cwd": folder, "stdin": subprocess.DEVNULL, "user": user, "group": user, "extra_groups": [] if user else None}


def rows(output):
    """The rows that `psql` prints for a query, each a list of texts."""
    return [line.split("\t") for line in output.splitlines()]
