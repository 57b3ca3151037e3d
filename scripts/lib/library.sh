# Sourced after lib/setup.sh by the scripts that try both versions of libmicrohttpd.
# shellcheck shell=bash

# newer_library: the folder with the libmicrohttpd 1.0 of Debian 13, if this machine has 0.9. Empty if it has 1.0. The package
# is unpacked and not installed: a program that is started with the folder in LD_LIBRARY_PATH uses it.
newer_library() {
    local folder=$PWD/.build/libmicrohttpd-1.0 keys=/usr/share/keyrings/debian-archive-keyring.gpg options
    pkg-config --max-version=0.9.76 libmicrohttpd || return 0
    command -v apt-get >/dev/null || { say "without apt-get, libmicrohttpd 1.0 is not tried"; return 0; }
    if [[ ! -e $folder/complete ]]; then
        [[ -e $keys ]] || install debian-archive-keyring
        mkdir -p "$folder"/{lists,cache}/partial
        echo "deb [signed-by=$keys] http://deb.debian.org/debian trixie main" >"$folder/sources.list"
        # With separate lists and packages, so that those of the machine stay unchanged.
        options=(-qq -o Dir::Etc::SourceList="$folder/sources.list" -o Dir::Etc::SourceParts=- -o Dir::State="$folder"
            -o Dir::Cache="$folder/cache" -o Acquire::Languages=none -o APT::Sandbox::User=)
        say "fetching libmicrohttpd 1.0"
        { apt-get "${options[@]}" update && cd "$folder" && apt-get "${options[@]}" download libmicrohttpd12t64; } >&2 ||
            die "could not fetch libmicrohttpd 1.0 of Debian 13"
        dpkg-deb --extract "$folder"/libmicrohttpd12t64_*.deb "$folder"
        rm -r "$folder"/{lists,cache}
        touch "$folder/complete"
    fi
    dirname "$folder"/usr/lib/*/libmicrohttpd.so.12
}
