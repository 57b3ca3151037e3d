#!/bin/sh
# A program like sendmail, for tests. It keeps its arguments and its input in files named as it is, and then does what the recipient says.
printf '%s\n' "$@" >"$0.arguments"
env >"$0.environment"
case $5 in
    deaf@*) exec <&-; exit 0 ;;
    slow@*) exec sleep 600 ;;
esac
cat >"$0.input"
case $5 in
    status-*) status=${5#status-}; exit "${status%%@*}" ;;
    killed@*) kill -9 $$ ;;
esac
