/** `tiding doctor`: checks this machine, the data folder and the server. */
import { spawnSync } from 'node:child_process';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defaultDataFolder } from '../../base/options.ts';
import { SERVER_VERSION } from '../../base/version.ts';
import { type ConnectionValues, clientCommand, serverOf, withClient } from '../connection.ts';
import { EXIT, toCommandError } from '../exit.ts';
import { readLogins } from '../logins.ts';
import type { CommandIo } from '../terminal.ts';

/** A finding. `advice` says what to do if it is not `ok`. */
interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly message: string;
  readonly advice?: string | undefined;
}

const good = (check: string, message: string): Finding => ({ check, status: 'ok', message });
const bad = (
  check: string,
  status: 'warning' | 'failed',
  message: string,
  advice?: string,
): Finding => ({ check, status, message, advice });

/** Free space below which a data folder gets a warning, in bytes. */
const LOW_SPACE = 2 ** 30;

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isGood = major > 20 || (major === 20 && minor >= 19);
  const message = `Node.js ${process.versions.node}`;
  return isGood
    ? good('node', message)
    : bad('node', 'failed', message, 'Install Node.js 20.19 or newer.');
}

function checkPython({ env, cwd }: CommandIo): Finding {
  const program = env['TIDING_PYTHON'] ?? 'python3';
  const code = 'import sys, venv, ensurepip; print(sys.version.split()[0])';
  const found = spawnSync(program, ['-c', code], { cwd, env, encoding: 'utf8' });
  if (!found.error && found.status === 0)
    return good('python', `Python ${found.stdout.trim()} with venv`);
  const problem = found.error ? 'was not found' : 'has no venv module';
  return bad(
    'python',
    'warning',
    `${program} ${problem}, so %python does not run`,
    'Install Python 3 with its venv module, or set TIDING_PYTHON.',
  );
}

async function checkData(folder: string): Promise<Finding> {
  const check = 'data';
  const found = await stat(folder).catch(() => undefined);
  if (!found) return good(check, `${folder} will be created by the first start`);
  if (!found.isDirectory())
    return bad(
      check,
      'failed',
      `${folder} is not a folder`,
      'Name another folder with --data or TIDING_DATA.',
    );
  const mayWrite = await access(folder, constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!mayWrite)
    return bad(
      check,
      'failed',
      `${folder} cannot be read and written by this account`,
      'Change its owner, or run Tiding with the account that owns it.',
    );
  if ((found.mode & 0o077) !== 0)
    return bad(
      check,
      'warning',
      `${folder} can be entered by other accounts`,
      `Run 'chmod 700 ${folder}': the folder contains keys.`,
    );
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < LOW_SPACE)
    return bad(
      check,
      'warning',
      `${folder} has only ${Math.floor((bavail * bsize) / 2 ** 20)} MB of free space`,
      'Free some space: a server with a full disk refuses changes.',
    );
  return good(check, folder);
}

async function checkServer(io: CommandIo, values: ConnectionValues): Promise<Finding[]> {
  const server = await serverOf(io, values);
  const isNamed = values.server ?? (io.env['TIDING_SERVER'] || (await readLogins(io)).current);
  try {
    return await withClient({ io, values }, async (client) => {
      const { version, tiding } = await client.connect();
      const { principal } = await client.session.ticket();
      // The list arrives over the live channel.
      await client.notes.list();
      const isSame = tiding === undefined || tiding === SERVER_VERSION;
      const runs = `${server} runs ${tiding ? `Tiding ${tiding}` : `Zeppelin ${version}`}`;
      return [
        isSame
          ? good('server', runs)
          : bad('server', 'warning', runs, `This program has version ${SERVER_VERSION}.`),
        good('login', `signed in as ${principal}`),
      ];
    });
  } catch (error) {
    const { exitCode, message, hint } = toCommandError(error);
    if (exitCode === EXIT.denied)
      return [good('server', `${server} can be reached`), bad('login', 'warning', message, hint)];
    return [bad('server', isNamed ? 'failed' : 'warning', message, hint)];
  }
}

export default clientCommand({
  summary: 'Check this machine, the data folder and the server',
  options: {
    data: { value: 'folder', help: 'data folder; default: as for the server' },
    json: { help: 'print one JSON object per line: {"check", "status", "message", "advice"}' },
  },
  details: [
    'Prints one finding per line: ok, warning or failed. The exit code is 1 if a check failed. ' +
      'A server that cannot be reached is a failure only if you named one.',
  ],
  examples: [['tiding doctor', 'find out why something does not work']],
  async run({ io, values, terminal }) {
    const folder = resolve(io.cwd, values.data ?? defaultDataFolder(io.env));
    const findings = [
      checkNode(),
      checkPython(io),
      await checkData(folder),
      ...(await checkServer(io, values)),
    ];
    for (const finding of findings) {
      const { status, message, advice } = finding;
      if (values.json) await terminal.line(JSON.stringify(finding));
      else {
        await terminal.line(`${status.padEnd(8)} ${message}`);
        if (advice !== undefined) await terminal.line(`${' '.repeat(9)}${advice}`);
      }
    }
    return findings.some(({ status }) => status === 'failed') ? EXIT.failed : EXIT.done;
  },
});
