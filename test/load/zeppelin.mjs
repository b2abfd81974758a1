/** A real Zeppelin under the same load, if a script that starts one is beside this checkout. */
import { readFileSync } from 'node:fs';
import { broadcast } from './broadcast.mjs';
import { startZeppelin, zeppelinProblem } from './zeppelin-server.mjs';

const identity = { principal: 'anonymous', ticket: 'anonymous', roles: '[]' };

/** The same figures as {@link broadcast}, or `undefined` without a Zeppelin. */
export async function zeppelin(sockets, ms, cleanup, starter) {
  const problem = zeppelinProblem(starter);
  if (problem) {
    process.stderr.write(`${problem}\n`);
    return undefined;
  }
  const ready = await startZeppelin(cleanup, starter);
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
    { sockets, ms, memory, cpu },
  );
}
