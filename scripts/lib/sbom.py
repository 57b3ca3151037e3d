"""Writes what a program consists of as SPDX 2.3 and CycloneDX 1.6: the Swift packages, and the Debian packages whose libraries it loads.

usage: sbom.py PROGRAM VERSION FILE

Writes FILE.spdx.json and FILE.cdx.json. The same commit on the same system gives the same bytes: the date is that of SOURCE_DATE_EPOCH.
"""

import json
import os
import re
import subprocess
import sys
import uuid
from datetime import UTC, datetime
from pathlib import Path

# The packages that `Package.resolved` names are those that the program is built from, and some that only tests use.
TESTS_ONLY = {"swift-custom-dump", "xctest-dynamic-overlay"}


def main(program, version, file):
    date = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    parts = [swift(), *swift_packages(), *debian_packages(program)]
    identity = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([version, date, parts]))
    write(f"{file}.spdx.json", spdx(version, date, identity, parts))
    write(f"{file}.cdx.json", cyclonedx(version, date, identity, parts))
    print(f"==> {len(parts)} parts")


def swift():
    """The standard library and Foundation's essentials, which are a part of the program."""
    version = re.search(r"Swift version ([\d.]+)", run("swift", "--version"))[1]
    return {"name": "swift", "version": version, "purl": f"pkg:github/swiftlang/swift@swift-{version}-RELEASE", "url": "https://www.swift.org"}


def swift_packages():
    """The Swift packages: a name, a version, a package URL and where it comes from."""
    for pin in json.loads(Path("Package.resolved").read_text(encoding="utf-8"))["pins"]:
        location = pin["location"].removesuffix(".git")
        name = location.rpartition("/")[2]
        if name not in TESTS_ONLY:
            state = pin["state"]
            purl = f"pkg:swift/{location.partition('://')[2]}@{state['version']}"
            yield {"name": name, "version": state["version"], "purl": purl, "url": f"git+{location}@{state['revision']}"}


def debian_packages(program):
    """The Debian packages of the shared libraries that the program loads, also indirectly."""
    libraries = re.findall(r"=> (/\S+)", run("ldd", program))
    owners = {owner_of(path) for path in libraries}
    release = dict(re.findall(r'^(\w+)="?([^"\n]*)', Path("/etc/os-release").read_text(encoding="utf-8"), re.M))
    for owner in sorted(owners):
        name, package, architecture = run("dpkg-query", "-W", "-f", "${Package} ${Version} ${Architecture}", owner).split()
        purl = f"pkg:deb/debian/{name}@{package}?arch={architecture}&distro={release['VERSION_CODENAME']}"
        yield {"name": name, "version": package, "purl": purl.replace("+", "%2B"), "url": "NOASSERTION"}


def owner_of(path):
    # The path that the package manager knows may be that before a link of /lib.
    for known in (os.path.realpath(path), path, path.removeprefix("/usr"), f"/usr{path}"):
        found = subprocess.run(["dpkg-query", "-S", known], capture_output=True, text=True, check=False)
        if found.returncode == 0:
            return found.stdout.partition(": ")[0]
    raise SystemExit(f"no Debian package contains {path}")


def spdx(version, date, identity, parts):
    def package(name, version, url, purl, **others):
        reference = {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}
        return {
            "SPDXID": identifier(name), "name": name, "versionInfo": version, "downloadLocation": url, "filesAnalyzed": False,
            "externalRefs": [reference], **others,
        }  # fmt: skip

    program = package(
        "understudy", version, "NOASSERTION", f"pkg:generic/understudy@{version}", licenseConcluded="Apache-2.0",
        primaryPackagePurpose="APPLICATION",
    )  # fmt: skip
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", identifier("understudy"))]
    relations += [(identifier("understudy"), "DEPENDS_ON", identifier(part["name"])) for part in parts]
    names = ("spdxElementId", "relationshipType", "relatedSpdxElement")
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"understudy-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/understudy-{version}-{identity}",
        "creationInfo": {"created": date, "creators": ["Tool: scripts/package"]},
        "packages": [program, *(package(**part) for part in parts)],
        "relationships": [dict(zip(names, relation, strict=True)) for relation in relations],
    }


def cyclonedx(version, date, identity, parts):
    program = {
        "type": "application", "bom-ref": "understudy", "name": "understudy", "version": version,
        "licenses": [{"license": {"id": "Apache-2.0"}}],
    }  # fmt: skip
    components = [{"type": "library", "bom-ref": part["purl"]} | {name: part[name] for name in ("name", "version", "purl")} for part in parts]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{identity}",
        "version": 1,
        "metadata": {"timestamp": date, "component": program},
        "components": components,
        "dependencies": [{"ref": "understudy", "dependsOn": sorted(part["purl"] for part in parts)}],
    }


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def write(path, document):
    Path(path).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    print(path)


main(*sys.argv[1:])
