#!/bin/sh
# Runs workerd, and kills it when the parent process ends for any reason: that closes pipe 3 between the two.
# If workerd has ended before, this subshell has another parent, and the old process id may belong to another process.
# So it kills only its own parent.
(
  cat <&3
  exec sh -c '[ "$PPID" = "$1" ] && kill -9 "$1"' sh $$
) </dev/null >/dev/null 2>&1 &
exec "$WEIR_WORKERD" "$@"
