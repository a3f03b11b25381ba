#!/bin/sh
# Runs workerd, and ends it once the process that started it has ended, in whatever way: pipe 3 between them is closed then.
(
  cat <&3
  kill -9 $$
) </dev/null >/dev/null 2>&1 &
exec "$WEIR_WORKERD" "$@"
