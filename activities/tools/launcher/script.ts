/**
 * The program between the worker and a command. It leads a process group of its own (the worker starts it with
 * setsid), and speaks with the worker over descriptor 3, a socket that closes with the worker, however the worker ends.
 *
 * L1. Nothing runs before the worker's `go`, which comes only after the group is in the ledger; without one it exits.
 * L2. When the worker is gone, everything in the group gets SIGTERM, and SIGKILL after the grace.
 * L3. The command gets real pipes (Node's are sockets, on which `> /dev/stderr` fails), no input, and default signals.
 * L4. It stays as leader until the worker kills the group, so that the group's number cannot be taken by another.
 *
 * Descriptors: 4 is the command's standard output, 5 its standard error; 2 is closed to the shell's own remarks ("Terminated").
 * A shell starts in about a millisecond where another Node would need forty.
 */
export const LAUNCHER = `
trap : TERM INT HUP
read -r go EVERTURN_GROUP <&3 || exit 125
[ "$go" = go ] || exit 125
export EVERTURN_GROUP
grace=$1
shift
exec 5>&2 2>/dev/null
(
  trap '' TERM INT HUP
  while read -r _ <&3; do :; done
  kill -s TERM 0
  sleep "$grace"
  kill -s KILL 0
) </dev/null >/dev/null 5>&- &
run() {
  exec 5>&1
  trap : TERM INT HUP
  ( trap - TERM INT HUP; exec "$@" </dev/null >&4 2>&5 3>&- 4>&- 5>&- )
  echo "exit $?" >&3
}
pump() {
  trap '' TERM INT HUP
  exec cat 3>&-
}
{ run "$@" | pump >&5 4>&- 5>&-; } 4>&1 | pump 5>&-
exec >/dev/null 5>&-
trap '' PIPE
echo end >&3 || kill -s KILL 0
wait
`;
