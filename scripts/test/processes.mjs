/** Child processes of a test run, and the end of everything they started. */
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Every descendant inherits this variable, also one that has left its parent's process group. */
const MARK = 'TIDING_TEST_RUN';
const run = randomUUID();
/** Time between SIGTERM and SIGKILL, in ms. */
const GRACE_MS = 1_500;

/**
 * Runs a Node.js program and resolves with its exit code. Its output goes to the terminal line by
 * line, so that lines of programs that run side by side are not mixed.
 */
export function runNode(args, { cwd, env = {}, quiet = false }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env, [MARK]: run },
    });
    const printed = [];
    for (const [stream, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ]) {
      let rest = '';
      stream.setEncoding('utf8');
      stream.on('data', (chunk) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop();
        for (const line of lines) {
          if (quiet) printed.push(line);
          else to.write(`${line}\n`);
        }
      });
      stream.once('end', () => rest !== '' && (quiet ? printed.push(rest) : to.write(`${rest}\n`)));
    }
    child.once('close', (code) => resolve({ code: code ?? 1, printed: printed.join('\n') }));
  });
}

/** Process ids below this process, by the table of processes. */
function descendants() {
  const children = new Map();
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  for (const line of table.trim().split('\n')) {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const found = [];
  const add = (pid) => {
    for (const child of children.get(pid) ?? []) {
      found.push(child);
      add(child);
    }
  };
  add(process.pid);
  return found;
}

/** Process ids that carry the mark of this run; Linux only, elsewhere none. */
function marked() {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/environ`, 'latin1').includes(`${MARK}=${run}`);
      } catch {
        return false;
      }
    })
    .map(Number);
}

function signalAll(signal) {
  const all = new Set(marked());
  try {
    for (const pid of descendants()) all.add(pid);
  } catch {
    // There is no `ps`; the marks are all there is.
  }
  for (const pid of all)
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  return all.size;
}

/**
 * Waits up to five seconds for processes of this run that are ending. Returns the ids and commands
 * of those that remain; Linux only, elsewhere none.
 */
export async function remaining() {
  for (let round = 0; round < 50 && marked().length > 0; round += 1) await sleep(100);
  return marked().map((pid) => {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return `${pid} ${command.slice(0, 120)}`;
  });
}

/** Ends everything that this run started and is still running. */
export async function endAll() {
  if (signalAll('SIGTERM') === 0) return;
  const deadline = Date.now() + GRACE_MS;
  while (Date.now() < deadline && marked().length > 0) await sleep(50);
  signalAll('SIGKILL');
}

/** On Ctrl-C and SIGTERM: ends everything and exits as a process that was ended by the signal. */
export function endOnSignals() {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])
    process.once(signal, async () => {
      console.error(`\n${signal}: ending the test run …`);
      await endAll();
      process.exit(code);
    });
}
