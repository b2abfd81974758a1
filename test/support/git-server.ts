/** A git server for tests: git's program for smart HTTP, protected by one password. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { temporaryFolder } from './until-end.ts';

function backend(): string | undefined {
  try {
    const file = join(
      execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(),
      'git-http-backend',
    );
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

/** Why this machine cannot run a git server; `undefined` if it can. */
export const noGit: string | undefined = backend()
  ? undefined
  : 'git with git-http-backend is not installed';

/** User name and token that the server accepts. */
export const GIT_USER = 'ana';
export const GIT_TOKEN = 'a-token-for-tests';

export interface GitServer {
  /** Address of a repository. */
  readonly url: string;
  /** Runs git in a clone of the repository and returns its output. */
  git(...args: string[]): string;
  /** Folder of the clone. */
  readonly clone: string;
  /** Called before each request. If it returns true, it has sent the response. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  stop(): Promise<void>;
}

/** Starts a server with one empty repository whose default branch is `branch`. */
export async function startGitServer(branch = 'main'): Promise<GitServer> {
  const root = temporaryFolder();
  const env = {
    PATH: process.env['PATH'],
    HOME: root,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'ana',
    GIT_AUTHOR_EMAIL: 'ana@example.org',
    GIT_COMMITTER_NAME: 'ana',
    GIT_COMMITTER_EMAIL: 'ana@example.org',
  };
  const repository = join(root, 'notes.git');
  const clone = join(root, 'clone');
  const run = (cwd: string, args: string[]) =>
    execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  run(root, ['init', '--bare', '--quiet', '-b', branch, repository]);
  run(repository, ['config', 'http.receivepack', 'true']);
  run(root, ['clone', '--quiet', repository, clone]);
  const program = backend()!;
  const state: { intercept: GitServer['intercept'] } = { intercept: undefined };

  const server = createServer((request, response) => {
    if (state.intercept?.(request, response)) return;
    const wanted = `Basic ${Buffer.from(`${GIT_USER}:${GIT_TOKEN}`).toString('base64')}`;
    if (request.headers.authorization !== wanted) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end('no');
      return;
    }
    const url = new URL(request.url ?? '/', 'http://git');
    const child = spawn(program, {
      env: {
        ...env,
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        REMOTE_USER: GIT_USER,
        REMOTE_ADDR: '127.0.0.1',
        REQUEST_METHOD: request.method,
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        CONTENT_LENGTH: request.headers['content-length'] ?? '',
      },
    });
    request.pipe(child.stdin);
    child.stdin.on('error', () => {});
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('close', () => {
      const output = Buffer.concat(chunks);
      const end = output.indexOf('\r\n\r\n');
      const headers = Object.fromEntries(
        output
          .subarray(0, end)
          .toString()
          .split('\r\n')
          .map((line) => line.split(': ') as [string, string]),
      );
      const { Status: status = '200', ...rest } = headers;
      response.writeHead(Number.parseInt(status, 10), rest).end(output.subarray(end + 4));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/notes.git`,
    clone,
    git: (...args) => run(clone, args),
    get intercept() {
      return state.intercept;
    },
    set intercept(value) {
      state.intercept = value;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
