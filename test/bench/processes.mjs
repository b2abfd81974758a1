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

/** The Python of a server and the process of its kernel, which this starts. */
export async function pythonOf(client) {
  const id = await client.notes.importNote({
    name: 'Bench/Python',
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

/** A kernel that only this process uses. `run` resolves once the code's output has arrived. */
export async function openBareKernel(python) {
  const child = spawn(python, [join(import.meta.dirname, 'bare-kernel.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => (await lines.next()).value;
  const pid = Number(await answer());
  return {
    pid,
    async run(code) {
      child.stdin.write(`${JSON.stringify(code)}\n`);
      return answer();
    },
    async close() {
      child.stdin.end();
      await new Promise((resolve) => child.once('exit', resolve));
    },
  };
}
