/** A real Jupyter server for tests, and a kernel of the machine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/until-end.ts';

/** A Python with jupyter-server, ipykernel and bash_kernel; undefined: the tests are skipped. */
export const JUPYTER_PYTHON = process.env['TIDING_TEST_JUPYTER'];
const TOKEN = 'a-token-for-tests';

/** Writes a folder with the kernel of bash, which `TIDING_KERNELS` may name. */
export function bashKernel(folder: string): string {
  const spec = join(folder, 'kernels/bash');
  mkdirSync(spec, { recursive: true });
  writeFileSync(
    join(spec, 'kernel.json'),
    JSON.stringify({
      argv: [JUPYTER_PYTHON, '-m', 'bash_kernel', '-f', '{connection_file}'],
      display_name: 'Bash',
      language: 'bash',
      env: { PS1: '$' },
    }),
  );
  return folder;
}

export async function startJupyter(): Promise<{
  properties: Record<string, string>;
  stop(): Promise<void>;
}> {
  const root = temporaryFolder();
  const port = await freePort();
  const server: ChildProcess = spawn(
    JUPYTER_PYTHON!,
    [
      ...['-m', 'jupyter_server', '--no-browser', '--allow-root', `--ServerApp.port=${port}`],
      ...['--ServerApp.port_retries=0', `--IdentityProvider.token=${TOKEN}`],
      `--ServerApp.root_dir=${root}`,
    ],
    { stdio: 'ignore', env: { ...process.env, JUPYTER_RUNTIME_DIR: root, HOME: root } },
  );
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${url}/api/status`, { headers: { Authorization: `token ${TOKEN}` } }).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (server.exitCode !== null) throw new Error('the Jupyter server ended');
    await wait(100);
  }
  return {
    properties: { 'jupyter.url': url, 'jupyter.token': TOKEN, 'jupyter.kernel': 'python3' },
    async stop() {
      const gone = once(server, 'exit');
      server.kill();
      await gone;
    },
  };
}
