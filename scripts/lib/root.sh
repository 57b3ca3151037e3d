# Sourced after lib/setup.sh by the scripts that work on a release of Debian other than this machine's, or on a fresh one.
# shellcheck shell=bash

# make_root RELEASE: makes .build/roots/RELEASE once: a minimal Debian RELEASE (bookworm, trixie) with its updates and
# security updates. It stays unchanged: scripts work in a copy (copy_root), except to install what they share.
# After an interruption, it starts again and reuses the downloaded packages.
make_root() {
    local release=$1 folder=$PWD/.build/roots suite
    local root=$folder/$release
    [[ ! -e $root ]] || return 0
    require_root
    command -v debootstrap >/dev/null || install debootstrap
    command -v ip >/dev/null || install iproute2
    say "making $root; this takes a minute or two"
    mkdir -p "$folder/packages"
    remove_root "$root.new"
    debootstrap --variant=minbase --include=ca-certificates --cache-dir="$folder/packages" "$release" "$root.new" \
        http://deb.debian.org/debian >"$root.log" 2>&1 || die "debootstrap failed: see $root.log"
    for suite in "debian $release" "debian $release-updates" "debian-security $release-security"; do
        echo "deb http://deb.debian.org/$suite main"
    done >"$root.new/etc/apt/sources.list"
    # Debian's installer writes this file.
    printf '127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n' >"$root.new/etc/hosts"
    # Translations and the downloaded packages would take more space than the root itself.
    printf '%s\n' 'Acquire::Languages "none";' 'APT::Keep-Downloaded-Packages "false";' \
        >"$root.new/etc/apt/apt.conf.d/90root"
    # This machine's configuration of apt, for example a proxy, also applies to the root.
    apt-config dump 2>/dev/null | grep -E '^Acquire::(https?|Retries|Check)\b.* ".+";$' \
        >"$root.new/etc/apt/apt.conf.d/91this-machine" || true
    # Services of packages stay stopped: the scripts start what they need.
    printf '#!/bin/sh\nexit 101\n' >"$root.new/usr/sbin/policy-rc.d"
    chmod +x "$root.new/usr/sbin/policy-rc.d"
    in_root "$root.new" sh -c 'apt-get update -qq && apt-get dist-upgrade -y -qq && apt-get clean' >>"$root.log" 2>&1 ||
        die "the updates of $release cannot be installed: see $root.log"
    # Only a complete root has the name that the next call looks for.
    mv "$root.new" "$root"
}

# copy_root RELEASE FOLDER: a copy of the root, which replaces the existing one.
copy_root() {
    make_root "$1"
    remove_root "$2"
    mkdir -p "$(dirname "$2")"
    cp --archive --reflink=auto ".build/roots/$1" "$2"
}

# remove_root FOLDER: removes a root, and first the mounts that an interrupted debootstrap left there.
remove_root() {
    local mounted
    [[ -e $1 ]] || return 0
    require_root
    while read -r mounted; do
        umount "$mounted"
    done < <(findmnt --raw --noheadings --output TARGET | grep -F "$(realpath "$1")/" | sort --reverse)
    rm --recursive --force --one-file-system "$1"
}

# in_root FOLDER [--offline] [--bind PATH[:TARGET]]… COMMAND…: runs a command in a root. It has its own processes and
# mounts, so that nothing of it remains when it ends, and this machine's network; with --offline only a loopback interface.
# --bind shows it a file or folder of this machine, at the same path or at TARGET, read-only.
in_root() {
    local root namespaces=(--mount --pid --fork --kill-child) loopback=: binds=()
    require_root
    root=$(realpath -e "$1") || die "there is no root $1"
    shift
    while :; do
        case $1 in
            --offline) namespaces+=(--net) loopback="ip link set lo up" ;;
            --bind) binds+=("$2"); shift ;;
            *) break ;;
        esac
        shift
    done
    # shellcheck disable=SC2016  # The inner shell expands these.
    unshare "${namespaces[@]}" -- bash -euc '
        root=$1 loopback=$2 count=$3
        shift 3
        $loopback
        mount -t proc proc "$root/proc"
        mount -t sysfs -o ro sysfs "$root/sys"
        mount -t tmpfs -o mode=755 tmpfs "$root/run"
        mkdir -p "$root/dev/pts" "$root/dev/shm"
        mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
        mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
        ln -sf pts/ptmx "$root/dev/ptmx"
        while ((count-- > 0)); do
            source=${1%%:*} target=$root${1#*:}
            shift
            if [[ -d $source ]]; then mkdir -p "$target"; else mkdir -p "${target%/*}"; touch "$target"; fi
            mount --bind "$source" "$target"
            mount -o remount,bind,ro "$target"
        done
        exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
            ${TERM+TERM="$TERM"} chroot "$root" "$@"
    ' bash "$root" "$loopback" "${#binds[@]}" "${binds[@]}" "$@"
}

require_root() {
    ((EUID == 0)) || die "roots of Debian need root: start this as root"
}

# boot_root FOLDER: starts the systemd that is installed in a root, as process 1 of a separate system with its own processes, mounts,
# control groups, and a network with only a loopback interface. in_booted runs commands there, and halt_root ends it.
# It also ends with the script.
booted='' booted_group=''
boot_root() {
    local root groups tries=0
    require_root
    root=$(realpath -e "$1") || die "there is no root $1"
    [[ -x $root/lib/systemd/systemd ]] || die "systemd is not installed in $1"
    groups=$(findmnt --noheadings --output TARGET --types cgroup2 | head -n 1)
    [[ $groups ]] || die "systemd needs control groups of version 2, which are not mounted on this machine"
    booted_group=$groups/understudy-root-$$
    mkdir "$booted_group"
    # shellcheck disable=SC2016  # The inner shells expand these.
    bash -euc '
        echo $$ >"$2/cgroup.procs"
        exec unshare --mount --pid --net --uts --ipc --cgroup --fork --kill-child bash -euc "$3" bash "$1"
    ' bash "$root" "$booted_group" '
        root=$1
        mount --bind "$root" "$root"
        cd "$root"
        mount -t proc proc proc
        mount -t sysfs sysfs sys
        mount -t cgroup2 cgroup2 sys/fs/cgroup
        mount -t tmpfs -o mode=755 tmpfs run
        mount -t tmpfs -o mode=755 tmpfs dev
        for device in null zero full random urandom tty; do
            touch "dev/$device"
            mount --bind "/dev/$device" "dev/$device"
        done
        mkdir dev/pts dev/shm
        mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
        mount -t tmpfs tmpfs dev/shm
        ln -s pts/ptmx dev/ptmx
        ln -s /proc/self/fd dev/fd
        ln -s fd/0 dev/stdin
        ln -s fd/1 dev/stdout
        ln -s fd/2 dev/stderr
        ip link set lo up
        mkdir -p old
        pivot_root . old
        umount --lazy old
        rmdir old
        exec env -i container=chroot PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd
    ' </dev/null >/dev/null 2>&1 &
    booted=$!
    trap halt_root EXIT
    # "degraded" is enough: a minimal root lacks files that some units of Debian require.
    until [[ $(in_booted systemctl is-system-running 2>/dev/null || true) =~ ^(running|degraded)$ ]]; do
        ((++tries < 300)) || die "systemd does not start in $1"
        sleep 0.2
    done
}

# in_booted COMMAND…: runs a command in the system that boot_root started.
in_booted() {
    local init
    init=$(pgrep -P "$booted") || return
    nsenter --target "$init" --all -- env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "$@"
}

halt_root() {
    local tries=0
    [[ $booted ]] || return 0
    kill -KILL "$booted" 2>/dev/null || true
    wait "$booted" 2>/dev/null || true
    booted=
    # Its processes end a moment later.
    while [[ -e $booted_group ]] && ((++tries < 50)); do
        find "$booted_group" -depth -type d -exec rmdir {} \; 2>/dev/null || sleep 0.1
    done
}
