# Sourced by the scripts that build a server for release, with all options except the product.
# shellcheck shell=bash

# shellcheck disable=SC2034 # for those who source this
release_options=(
    -c release
    # So that the binary needs no separate Swift runtime, and uses 6 MiB less memory. C libraries stay dynamic.
    --static-swift-stdlib
    # The tests run with the check for overlapping accesses. In the server, the check costs several per cent of the
    # throughput.
    -Xswiftc -enforce-exclusivity=unchecked
    # So that small functions are inlined across the targets' borders, which every event crosses.
    -Xswiftc -cross-module-optimization
    # So that only the system's libraries are loaded, and none from the binary's folder.
    --disable-local-rpath
    # So that stripped symbols can be matched with their binary, and no address of a function can be overwritten.
    -Xlinker --build-id=sha1 -Xlinker -z -Xlinker now
)
