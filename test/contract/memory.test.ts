/** The memory server passes the contract suite. Its `%sh` is the shell of this machine. */
import { spawn } from 'node:child_process';
import { type MemoryRun, memoryServer } from '@tiding/client/testing';
import { contract } from './suite.ts';

const sh: MemoryRun = (script, out) =>
  new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', script], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => out.text(text));
    out.signal.addEventListener('abort', () => {
      // The whole process group: child processes of the shell keep its output open.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 || out.signal.aborted ? resolve() : reject(new Error(`ExitValue: ${code}`)),
    );
  });

contract('the memory server', async () => {
  const memory = memoryServer({
    interpreters: { sh, md: (script, out) => out.html(`<p>${script}</p>`) },
    users: { ann: 'anns-password', bob: { password: 'bobs-password', roles: ['reader'] } },
  });
  const { server, transport, fetch } = memory;
  return [
    {
      url: server,
      options: { transport, fetch },
      signIn: async (client) => void (await client.session.login('ann', 'anns-password')),
      signInOther: async (client) => void (await client.session.login('bob', 'bobs-password')),
    },
    async () => memory.close(),
  ];
});
