#!/bin/sh
# Runs workerd, and kills it when the parent process ends for any reason, because that closes pipe 3 between them. If
# workerd has ended before, this subshell has another parent, and the old process id may belong to another process. So
# it kills only its own parent. Port 1 stands for no port: Miniflare's own entry becomes a socket file in a new folder
# that only this user can enter. workerd runs in that folder, because socket paths are limited to about 100 bytes.
folder=$(mktemp -d) && cd "$folder" || exit
for word do
  [ "$word" = --socket-addr=entry=127.0.0.1:1 ] && word=--socket-addr=entry=unix:entry
  shift
  set -- "$@" "$word"
done
(
  cat <&3
  rm -rf "$folder"
  exec sh -c '[ "$PPID" = "$1" ] && kill -9 "$1"' sh $$
) </dev/null >/dev/null 2>&1 &
exec "$WEIR_WORKERD" "$@"
