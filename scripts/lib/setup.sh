# Sourced by the scripts: changes to the root of the checkout ($caller is the folder in which the script was called), and
# defines their common functions. Quiet and quick if nothing is missing.
# shellcheck shell=bash

script=$(basename "$0") script_file=$(realpath "$0")
export caller=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit
# What the checks and the benchmarks in Python share.
export PYTHONPATH=$PWD/scripts/lib/python PYTHONDONTWRITEBYTECODE=1

say() { echo "$script: $*" >&2; }
die() { say "$@"; exit 1; }

# usage: prints the comment at the head of the script, and ends it with EX_USAGE of sysexits.h.
usage() { sed -n '2,/^[^#]/s/^# \?//p' "$script_file" >&2; exit 64; }

# set_up USE…: finds Swift, and installs the Debian packages that are lacking to build, and for each USE.
set_up() {
    local use lacking=()
    command -v git >/dev/null || lacking+=(git)
    [[ -e /etc/ssl/certs/ca-certificates.crt ]] || lacking+=(ca-certificates)
    command -v pkg-config >/dev/null || lacking+=(pkg-config)
    [[ -e /usr/include/microhttpd.h ]] || lacking+=(libmicrohttpd-dev)
    [[ -e /usr/include/sodium.h ]] || lacking+=(libsodium-dev)
    [[ -e /usr/include/argon2.h ]] || lacking+=(libargon2-dev)
    [[ -e /usr/include/crypt.h ]] || lacking+=(libcrypt-dev)
    [[ -e /usr/include/yaml.h ]] || lacking+=(libyaml-dev)
    [[ -e /usr/include/uninorm.h ]] || lacking+=(libunistring-dev)
    [[ -e /usr/include/sqlite3.h ]] || lacking+=(libsqlite3-dev)
    [[ -e /usr/include/postgresql/libpq-fe.h ]] || lacking+=(libpq-dev)
    [[ -e /usr/include/zlib.h ]] || lacking+=(zlib1g-dev)
    [[ -e /usr/include/curl/curl.h ]] || compgen -G '/usr/include/*/curl/curl.h' >/dev/null || lacking+=(libcurl4-openssl-dev)
    [[ -e /usr/include/fido.h ]] || lacking+=(libfido2-dev)
    [[ -e /usr/include/liboath/oath.h ]] || lacking+=(liboath-dev)
    [[ -e /usr/include/qrencode.h ]] || lacking+=(libqrencode-dev)
    # Swift links with files of a C++ compiler. For a library that it cannot find, gcc prints the bare name.
    [[ $(gcc -print-file-name=libstdc++.so 2>/dev/null) == /* ]] || lacking+=(g++)
    # Debian's other linker cannot make the tables of Swift's runtime read-only. Debian 13 has gold in a package of its own.
    command -v ld.gold >/dev/null || lacking+=(binutils-gold)
    for use; do
        case $use in
            run)
                command -v curl >/dev/null || lacking+=(curl)
                ;;
            test)
                python3 -c 'import ensurepip, venv' 2>/dev/null || lacking+=(python3 python3-venv)
                command -v shellcheck >/dev/null || lacking+=(shellcheck)
                [[ -x /usr/sbin/nginx ]] || lacking+=(nginx-light)
                command -v systemd-analyze >/dev/null || lacking+=(systemd)
                command -v openssl >/dev/null || lacking+=(openssl)
                command -v curl >/dev/null || lacking+=(curl)
                compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || lacking+=(postgresql)
                /usr/bin/python3 -c 'import aiosmtpd' 2>/dev/null || lacking+=(python3-aiosmtpd)
                # The samples of docs/integration-tests.md and docs/other-languages.md.
                python3 -c 'import pytest' 2>/dev/null || lacking+=(python3-pytest)
                command -v jq >/dev/null || lacking+=(jq)
                command -v node >/dev/null || lacking+=(nodejs)
                ;;
            clients)
                command -v java >/dev/null || lacking+=(default-jre-headless)
                command -v node >/dev/null || lacking+=(nodejs)
                command -v tsc >/dev/null || lacking+=(node-typescript)
                command -v esbuild >/dev/null || lacking+=(esbuild)
                ;;
            docs)
                command -v python3 >/dev/null || lacking+=(python3)
                ;;
            bench)
                command -v python3 >/dev/null || lacking+=(python3)
                command -v wrk >/dev/null || lacking+=(wrk)
                command -v openssl >/dev/null || lacking+=(openssl)
                compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || lacking+=(postgresql)
                ;;
            instructions)
                command -v valgrind >/dev/null || lacking+=(valgrind)
                ;;
            slow)
                command -v slowhttptest >/dev/null || lacking+=(slowhttptest)
                ;;
            package)
                command -v dpkg-buildpackage >/dev/null || lacking+=(dpkg-dev)
                command -v dh >/dev/null || lacking+=(debhelper)
                command -v patchelf >/dev/null || lacking+=(patchelf)
                command -v python3 >/dev/null || lacking+=(python3)
                ;;
            package-test)
                command -v lintian >/dev/null || lacking+=(lintian)
                command -v debootstrap >/dev/null || lacking+=(debootstrap)
                command -v ip >/dev/null || lacking+=(iproute2)
                command -v systemd-analyze >/dev/null || lacking+=(systemd)
                python3 -c 'import ensurepip, venv' 2>/dev/null || lacking+=(python3 python3-venv)
                ;;
            *) die "set_up has no use '$use'" ;;
        esac
    done
    find_swift
    if [[ -z $(swift_version) ]]; then
        # The package manager is there and does not start: these are the libraries that it is linked with.
        lacking+=(libcurl4 libncurses6 libsqlite3-0 libxml2)
    fi
    ((${#lacking[@]} == 0)) || install "${lacking[@]}"
    require_swift
}

# Adds Swift to the PATH, if it is in one of its usual folders.
find_swift() {
    local folder
    for folder in "${SWIFTLY_BIN_DIR:-${HOME-}/.local/share/swiftly/bin}" {"${HOME-}",/opt,/usr/local}/swift*/usr/bin; do
        command -v swift >/dev/null && return
        [[ ! -x $folder/swift ]] || PATH=$folder:$PATH
    done
    command -v swift >/dev/null || no_swift "Swift was not found"
}

# swift_build OPTION…: builds for debugging. Without the index for editors, which takes a quarter of the time. With other options,
# SwiftPM builds everything again.
swift_build() {
    swift build --disable-index-store --explicit-target-dependency-import-check error "${debug_info[@]}" "${modules[@]}" "$@"
}

# The names of functions are enough for the checks of CI. Without the rest for debuggers, a build takes a seventh less time; a third less
# of what remains if the compiler reads each module once and as a whole, for which a change would take longer.
debug_info=() modules=()
if [[ ${BUILDS_ONCE-} ]]; then
    debug_info=(-debug-info-format none)
    modules=(-Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 1 -Xswiftc -no-emit-module-separately-wmo)
fi

# products debug|release [OPTION…]: the folder with the products of a build.
products() { swift build --show-bin-path -c "$@"; }

# run_tests FOLDER OPTION…: runs the tests of the build whose products are in the folder, those of this package or of $tested. Without
# `swift test`, which keeps builds waiting (even with --ignore-lock it holds the lock of .build while the tests run), and which builds with
# information for debuggers in any case. Swift Build, from Swift 6.4 on, makes a program for each target,
# which ends with 69 if the options select none of its tests.
run_tests() {
    local folder=$1 runner status found=
    shift
    # The examples have theirs in the same folder.
    for runner in "$folder/${tested:-understudy}PackageTests.xctest" "$folder"/*-test-runner; do
        [[ -x $runner ]] || continue
        found=$runner status=0
        "$runner" --testing-library swift-testing "$@" || status=$?
        ((status == 0)) || [[ $status == 69 && $runner == *-test-runner ]] || return "$status"
    done
    [[ $found ]] || die "there are no tests in $folder"
}

# The version of Swift, such as 6.3.1. Empty if Swift does not start.
swift_version() { swift build --version 2>/dev/null | sed -nE 's/.* Swift ([0-9]+(\.[0-9]+)*).*/\1/p' || true; }

require_swift() {
    local version major minor
    version=$(swift_version)
    [[ $version ]] || die "Swift does not start: $(swift build --version 2>&1 | head -n 1)"
    IFS=. read -r major minor _ <<<"$version.0"
    ((major > 6 || major == 6 && minor >= 2)) || no_swift "Swift $version is too old"
}

no_swift() {
    die "$1; Swift 6.2 or newer is needed: install it as https://www.swift.org/install/linux/ says (on Debian 13, the one for" \
        "Debian 12), or work in the container image swift:6.3-bookworm"
}

# install PACKAGE…: prints and installs packages of Debian or Ubuntu. On another system, prints the requirements instead.
install() {
    local as_root=() system log
    # shellcheck source=/dev/null
    system=$(. /etc/os-release 2>/dev/null && echo "$ID $VERSION_ID")
    case $system in
        "debian 12" | "debian 13") ;;
        "ubuntu 22.04" | "ubuntu 24.04") say "the packages have the same names on Ubuntu, but this has not been tried there" ;;
        *) requirements "$@"; exit 1 ;;
    esac
    if ((EUID != 0)); then
        command -v sudo >/dev/null || die "packages are missing, and there is no sudo. Run as root: apt-get install $*"
        as_root=(sudo)
    fi
    say "installing $*"
    "${as_root[@]}" apt-get update -qq >&2 || say "apt-get update failed; trying with the existing lists"
    # apt-get prints a line for each step of each package, which helps only if it fails.
    log=$("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 \
        install -y -qq --no-install-recommends "$@" 2>&1) || { echo "$log" >&2; die "could not install $*"; }
}

# python_tool NAME VERSION: prints the path of a program from PyPI, which the first call installs in .build.
python_tool() {
    local folder=.build/$1-$2
    if [[ ! -e $folder/installed ]]; then
        python3 -m venv "$folder"
        "$folder/bin/pip" install --quiet --disable-pip-version-check "$1==$2" >&2
        touch "$folder/installed"
    fi
    echo "$folder/bin/$1"
}

# rules_checker: prints the path of Prometheus' checker of rules. Empty without apt-get. The first call unpacks it from Debian's package
# into .build: the package itself is not installed, because its server would start, and take the port for operators.
rules_checker() {
    local folder=$PWD/.build/promtool options
    if command -v promtool; then return; fi
    command -v apt-get >/dev/null || { say "without promtool and apt-get, the alerts are not checked"; return 0; }
    if [[ ! -e $folder/complete ]]; then
        mkdir -p "$folder"/{lists,cache}/partial
        # With separate lists and packages, so that those of the machine stay unchanged.
        options=(-qq -o Dir::State="$folder" -o Dir::Cache="$folder/cache" -o Acquire::Languages=none -o APT::Sandbox::User=)
        say "fetching promtool"
        { apt-get "${options[@]}" update && (cd "$folder" && apt-get "${options[@]}" download prometheus); } >&2 ||
            die "could not fetch Debian's package prometheus"
        dpkg-deb --fsys-tarfile "$folder"/prometheus_*.deb | tar --extract --directory "$folder" ./usr/bin/promtool
        rm -r "$folder"/{lists,cache} "$folder"/prometheus_*.deb
        touch "$folder/complete"
    fi
    echo "$folder/usr/bin/promtool"
}

# requirements PACKAGE…: prints the requirements, and those that are missing.
requirements() {
    cat >&2 <<END
$script: something is missing that Debian calls: $*
The scripts install it on Debian 12 and 13, and on Ubuntu 22.04 and 24.04 (not tried there). On this system, install
  to build:  Swift 6.2 or newer, git, pkg-config, a C++ compiler, and with their headers
             libmicrohttpd 0.9.75 or newer, libsodium, libargon2, libxcrypt, libpq, SQLite 3, zlib, libcurl, libfido2, liboath, libqrencode,
             libyaml and libunistring
  to run:    curl, to ask the server
  to test:   Python 3 with venv and aiosmtpd, shellcheck, nginx, systemd (systemd-analyze), openssl, curl, jq, Node.js,
             promtool (otherwise the alerts are not checked),
             a Java runtime, TypeScript (tsc) and esbuild
and start the script again.
END
}
