#!/bin/sh
# Runs workerd, and ends it once the process that started it has ended, in whatever way: pipe 3 between them is closed then.
# Where workerd has ended already, it is no longer the parent here, and its number may be another's by now.
(
  cat <&3
  exec sh -c '[ "$PPID" = "$1" ] && kill -9 "$1"' sh $$
) </dev/null >/dev/null 2>&1 &
exec "$WEIR_WORKERD" "$@"
