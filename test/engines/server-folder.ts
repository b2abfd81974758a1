/** What the servers of the tests have in common. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The server refuses to run as root. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (option: string) => Number(execFileSync('id', [option, 'nobody']).toString());
  return { uid: id('-u'), gid: id('-g') };
}

export class ServerFolder {
  readonly root: string;
  readonly #account = unprivileged();
  #child: ChildProcess | undefined;

  constructor(name: string) {
    this.root = mkdtempSync(join(tmpdir(), `tiding-${name}-`));
    this.own(this.root);
  }

  /** Gives a file to the account of the server. */
  own(path: string): void {
    const { gid, uid } = this.#account;
    if (uid !== undefined) chownSync(path, uid, gid!);
  }

  async run(program: string, args: readonly string[]): Promise<void> {
    await run(program, args, { ...this.#account, cwd: this.root });
  }

  /** Writes `server.key` and `server.crt` to a folder, for the host name `localhost`. */
  async certificate(folder: string): Promise<void> {
    await this.run('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=DNS:localhost'],
      ...['-keyout', join(folder, 'server.key'), '-out', join(folder, 'server.crt')],
    ]);
  }

  /** Starts the server and waits until `check` resolves. */
  async start(
    program: string,
    args: readonly string[],
    check: () => Promise<unknown>,
  ): Promise<void> {
    const child = spawn(program, args, {
      ...this.#account,
      cwd: this.root,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child = child;
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
    for (;;) {
      if (child.exitCode !== null) throw new Error(`${program} did not start: ${log}`);
      try {
        await check();
        return;
      } catch {
        await wait(50);
      }
    }
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  }

  /** Ends the server at once and deletes its files. */
  async remove(): Promise<void> {
    await this.end('SIGKILL');
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** A way to a server of loopback that can be cut without closing its connections. */
export async function startProxy(
  target: number,
): Promise<{ port: number; cut(): void; stop(): Promise<void> }> {
  const sockets: Socket[] = [];
  let isCut = false;
  const server = createServer((near) => {
    sockets.push(near.on('error', () => undefined));
    if (isCut) return;
    const far = connect(target, '127.0.0.1').on('error', () => undefined);
    sockets.push(far);
    near.pipe(far);
    far.pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    port: (server.address() as { port: number }).port,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
