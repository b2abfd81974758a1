/** A real Zeppelin under the same load, if a script that starts one is beside this checkout. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/test/free-port.mjs';
import { broadcast } from './broadcast.mjs';

const boot = join(import.meta.dirname, '../../../shared/zeppelin/boot');
const identity = { principal: 'anonymous', ticket: 'anonymous', roles: '[]' };

/** The same figures as {@link broadcast}, or `undefined` without a Zeppelin. */
export async function zeppelin(sockets, ms, cleanup, starter = process.env.ZEPPELIN_BOOT ?? boot) {
  if (!existsSync(starter)) {
    process.stderr.write(`No script that starts a real Zeppelin: ${starter}\n`);
    return undefined;
  }
  const home = mkdtempSync(join(tmpdir(), 'zeppelin-load-'));
  const port = await freePort();
  const child = spawn(starter, ['--port', String(port), '--home', join(home, 'home'), '--fresh'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanup.add(async () => {
    const exit = once(child, 'exit');
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGTERM')) await exit;
    rmSync(home, { recursive: true, force: true });
  });
  const ready = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      const found = /READY zeppelin \S+ (\S+).* pid=(\d+)/.exec((text += chunk));
      if (found) resolve({ url: found[1], pid: Number(found[2]) });
    });
    child.once('exit', (code) => reject(new Error(`Zeppelin exited with code ${code}`)));
  });
  const call = async (method, path, body) => {
    const answer = await fetch(`${ready.url}/api${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
    return (await answer.json()).body;
  };
  const id = await call('POST', '/notebook', {
    name: 'load',
    paragraphs: Array.from({ length: 10 }, (_each, at) => ({
      title: '',
      text: `%md\nparagraph ${at}`,
    })),
  });
  const { paragraphs } = await call('GET', `/notebook/${id}`);
  const memory = async () => ({
    rss: Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${ready.pid}/status`, 'utf8'))[1]) / 1024,
  });
  const cpu = async () => {
    // Fields 14 and 15, in hundredths of a second; field 2 is the name in parentheses.
    const stat = readFileSync(`/proc/${ready.pid}/stat`, 'utf8');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return (user + system) * 10;
  };
  return broadcast(
    { url: ready.url, identity, id, paragraph: paragraphs[0].id },
    { sockets, ms, memory, cpu, churn: true },
  );
}
