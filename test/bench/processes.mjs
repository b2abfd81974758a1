/** Processes of the measurements: their memory, and a Jupyter kernel without a server. */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { outputText } from '@tiding/client';

/** Resident memory of a process in MB, or `undefined` if the system does not report it. */
export function memoryOf(pid) {
  try {
    if (process.platform === 'linux')
      return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
    return (
      Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
    );
  } catch {
    return undefined;
  }
}

/** The Python of a server and the process of its kernel, which this starts in a new note. */
export async function pythonOf(client, name = 'Bench/Python') {
  const id = await client.notes.importNote({
    name,
    paragraphs: [{ text: '%python\nimport os, sys\nprint(sys.executable, os.getpid())' }],
  });
  const note = await client.open(id);
  const { status, outputs } = await note.paragraphs[0].run();
  note.close();
  const text = outputs.map(outputText).join('').trim();
  if (status !== 'FINISHED') throw new Error(`Python ended as ${status}: ${text}`);
  const [, python, pid] = /^(.+) (\d+)$/.exec(text);
  return { python, pid: Number(pid) };
}

/**
 * Starts a Python program of this folder that answers each line of its input, a JSON text, with a
 * line. It ends when its input ends.
 */
export function openProgram(python, file, env = {}) {
  const child = spawn(python, [join(import.meta.dirname, file)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => {
    const { done, value } = await lines.next();
    if (done) throw new Error(`${file} ended without an answer`);
    return value;
  };
  return {
    answer,
    ask(question) {
      child.stdin.write(`${JSON.stringify(question)}\n`);
      return answer();
    },
    async close() {
      child.stdin.end();
      if (child.exitCode === null && child.signalCode === null)
        await new Promise((resolve) => child.once('exit', resolve));
    },
  };
}

/** A kernel that only this process uses. `run` resolves once the code's output has arrived. */
export async function openBareKernel(python) {
  const { answer, ask, close } = openProgram(python, 'bare-kernel.py');
  return { pid: Number(await answer()), run: ask, close };
}

/** Ids of all processes below a process, by the table of processes. */
export function descendantsOf(pid) {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const found = new Set([pid]);
  const pairs = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  // A child may be listed before its parent.
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const [child, parent] of pairs) if (found.has(parent)) found.add(child);
  }
  found.delete(pid);
  return [...found];
}
