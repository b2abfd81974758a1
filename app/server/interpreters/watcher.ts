/**
 * What the server has started ends with it, also where it is killed and can end nothing itself: a small process of its own reads from a
 * pipe that the server alone holds. Its end is the end of the server, however that came.
 *
 * One for all: each line that it reads has all that is to end then. Nothing of a user's code has a hand on that pipe, because no
 * process inherits the server's end of it.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { childEnvironment } from './child-environment.ts';

/** In the environment of what a server starts, and of what that starts: whose it is. */
export const MARK = 'INTERPRETER_MARK';

/**
 * Words of a line are leaders of process groups and marks. Whoever has left its group is found by its mark where `/proc` tells of it,
 * several times: who was just starting another may have done so once more. A line that was cut off does not count.
 */
const SCRIPT = `
trap '' HUP INT TERM
all= marks=
while IFS= read -r line; do all=$line; done
for each in $all; do
  case $each in
    *-*) marks="$marks -e ${MARK}=$each" ;;
    *) kill -s KILL -- "-$each" ;;
  esac
done
[ "$marks" ] || exit 0
for round in 1 2 3 4 5 6 7 8 9 10; do
  found=$(grep -lsF $marks /proc/[0-9]*/environ)
  [ "$found" ] || exit 0
  for file in $found; do
    pid=\${file#/proc/}
    pid=\${pid%/environ}
    read -r stat <"/proc/$pid/stat" || continue
    set -- \${stat##*) }
    [ "$3" -gt 1 ] && kill -s KILL -- "-$3"
    kill -s KILL "$pid"
  done
done
`;

/** Marks, with the leader of the group where it has been started. */
const watched = new Map<string, number | undefined>();
let watcher: ChildProcess | undefined;

/** Has what bears the mark, and the group of `leader`, ended when this process is gone. Does nothing on Windows. */
export function watch(mark: string, leader?: number): void {
  watched.set(mark, leader);
  tell();
}

/** They have ended: the numbers of their processes may be others' from now on. */
export function unwatch(mark: string): void {
  if (watched.delete(mark)) tell();
}

function tell(): void {
  if (process.platform === 'win32') return;
  // Somebody may have ended it: then the next change has another one.
  watcher ??= begin();
  watcher.stdin?.write(
    `${[...watched]
      .flat()
      .filter((each) => each !== undefined)
      .join(' ')}\n`,
  );
}

function begin(): ChildProcess {
  // A group of its own: whoever ends the server's group leaves it. No folder is kept busy by it.
  const child = spawn('sh', ['-c', SCRIPT], {
    cwd: '/',
    env: childEnvironment(),
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const gone = (): void => void (watcher === child && (watcher = undefined));
  child.once('error', gone).once('exit', gone);
  child.stdin?.on('error', gone);
  // It keeps nothing alive: the server ends, and it after it.
  child.unref();
  (child.stdin as Socket | null)?.unref();
  return child;
}
