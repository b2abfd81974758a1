# Kills the interpreters of a server that is gone. $1 is the name of the environment variable that
# marks their processes.
#
# Each line of standard input lists everything to kill: leaders of process groups (numbers) and
# marks (UUIDs). The last complete line counts, once the input ends.
name=$1
trap '' HUP INT TERM
all= marks=
while IFS= read -r line; do all=$line; done
for each in $all; do
  case $each in
    *-*) marks="$marks -e $name=$each" ;;
    *) kill -s KILL -- "-$each" ;;
  esac
done
[ "$marks" ] || exit 0
# Processes that left their group are found by their mark, on systems with /proc. A process may
# start another one meanwhile, hence several rounds.
for round in 1 2 3 4 5 6 7 8 9 10; do
  found=$(grep -lsF $marks /proc/[0-9]*/environ)
  [ "$found" ] || exit 0
  for file in $found; do
    pid=${file#/proc/}
    pid=${pid%/environ}
    read -r stat <"/proc/$pid/stat" || continue
    set -- ${stat##*) }
    [ "$3" -gt 1 ] && kill -s KILL -- "-$3"
    kill -s KILL "$pid"
  done
done
