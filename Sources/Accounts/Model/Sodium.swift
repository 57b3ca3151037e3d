internal import CSodium

/// Whether libsodium has been initialised, which happens at the first use.
package let sodiumHasStarted = sodium_init() >= 0
