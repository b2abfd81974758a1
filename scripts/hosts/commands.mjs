/** Commands of a host's project, limited in time. */
import { spawn } from 'node:child_process';

/** Lines of output in the message of a failed command. */
const SHOWN_LINES = 40;
/** Projects ask no questions and send nothing to their makers. */
const env = {
  ...process.env,
  CI: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NG_CLI_ANALYTICS: 'false',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
};

/** Starts a command. `end` ends it with everything that it has started. */
export function start(command, args, { cwd, more = {} }) {
  const child = spawn(command, args, {
    cwd,
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a group of its own, which is ended as a whole.
    detached: true,
  });
  const started = { child, output: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      started.output += text;
    });
  started.ended = new Promise((resolve) => {
    child.once('close', resolve);
    child.once('error', (error) => {
      started.output += error.message;
      resolve(1);
    });
  });
  started.end = async () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
    await started.ended;
  };
  return started;
}

/** Runs a command until `deadline`, a time in ms. Resolves with its exit code and output. */
export async function run(command, args, { cwd, deadline, more }) {
  const started = start(command, args, { cwd, more });
  const late = setTimeout(() => {
    started.output += '\nThe time limit of the host is reached.';
    void started.end();
  }, deadline - Date.now());
  const code = await started.ended;
  clearTimeout(late);
  return { code: code ?? 1, output: started.output };
}

/** The same for a command that must succeed. Resolves with its output. */
export async function succeed(command, args, options) {
  const { code, output } = await run(command, args, options);
  if (code === 0) return output;
  const shown = output.trim().split('\n').slice(-SHOWN_LINES).join('\n');
  throw new Error(`'${[command, ...args].join(' ')}' fails:\n${shown}`);
}
