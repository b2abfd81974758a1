/** `%jupyter`: a kernel on a Jupyter Server or Kernel Gateway elsewhere. */

import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { completingEditor } from '../completing-editor.ts';
import type { InterpreterHost, InterpreterSpec, Run } from '../contract.ts';
import { optional, property } from '../property.ts';
import { KernelProblem } from './kernel-problem.ts';
import { type KernelEngine, KernelSession, type StartKernel } from './kernel-session.ts';
import { variablesCode } from './kernel-variables.ts';
import { type JupyterServer, RemoteKernel } from './remote-kernel.ts';

/** Returns why an address can't be used. All users see the address, so it has no secrets. */
function addressProblem(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be an address with http or https';
  return url.username || url.password || /[?#]/.test(value)
    ? 'must not contain a login, a token or other parameters. Use the property jupyter.token'
    : undefined;
}

/** Each instance is a kernel there. It ends with its instance. */
export const jupyter: InterpreterSpec = {
  name: 'jupyter',
  sharing: { perNote: 'isolated', perUser: '' },
  properties: [
    property(
      'jupyter.url',
      'url',
      'Address of a Jupyter Server, Kernel Gateway or JupyterHub user, without /api',
      { check: optional(addressProblem) },
    ),
    property('jupyter.token', 'password', 'Token of that server'),
    property(
      'jupyter.kernel',
      'string',
      'Name of the kernel there, such as python3. Empty: its default.',
    ),
    property(
      'jupyter.patience',
      'number',
      'Seconds after which a kernel that is out of reach counts as ended',
      {
        defaultValue: '60',
        check: (value) => (Number(value) > 0 ? undefined : 'must be a number of seconds above 0'),
      },
    ),
  ],
  editor: completingEditor('python'),
  create: (host) => new KernelSession(host, new RemoteEngine(host)),
};

class RemoteEngine implements KernelEngine {
  readonly name = 'Jupyter';
  readonly #host: InterpreterHost;
  #language = '';
  /** Name of the kernel that is started; empty: the default of the Jupyter server. */
  #kernel = '';

  constructor(host: InterpreterHost) {
    this.#host = host;
  }

  get variablesCode(): string | undefined {
    return variablesCode(this.#language);
  }

  async prepare(run: Run): Promise<StartKernel> {
    // As in Zeppelin: %jupyter(kernel=ir).
    this.#kernel = run.options['kernel'] ?? this.#host.properties['jupyter.kernel'] ?? '';
    return (signal) => this.#start(signal);
  }

  async beforeRun({ options }: Run): Promise<void> {
    const { kernel } = options;
    if (kernel !== undefined && kernel !== this.#kernel)
      throw new KernelProblem(
        `The kernel of this note is ${this.#kernel || 'the default'}, not ${kernel}. To use ` +
          'several kernels in a note, create a setting for each of them.',
      );
  }

  /** Completion does not start kernels in other people's clusters. */
  async prepared(): Promise<undefined> {}

  async #start(signal: AbortSignal): Promise<RemoteKernel> {
    const { properties, folder } = this.#host;
    const url = properties['jupyter.url'] ?? '';
    if (url === '')
      throw new KernelProblem(
        'No Jupyter server is configured. Set jupyter.url and jupyter.token in the setting on ' +
          'the page Interpreters, or ask an administrator. Each Jupyter kernel on the machine of ' +
          'this server is a magic of its own, such as %ir; for Python, use %python.',
      );
    // Older versions stored addresses with a secret.
    const problem = addressProblem(url);
    if (problem !== undefined) throw new KernelProblem(`jupyter.url ${problem}.`);
    const server: JupyterServer = {
      url,
      token: properties['jupyter.token'] ?? '',
      patienceMs: Number(properties['jupyter.patience'] ?? 60) * 1_000,
    };
    // If this server was killed, its kernel still runs there.
    const file = join(folder, 'remote-kernel');
    const [leftover = '', place] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
    if (leftover && place === url) await RemoteKernel.shutDown(server, leftover);
    const kernel = await RemoteKernel.start(server, this.#kernel, signal);
    await writeFile(file, `${kernel.id}\n${url}`, { mode: 0o600 });
    void kernel.died.then(() => rm(file, { force: true }));
    this.#language = kernel.language;
    return kernel;
  }
}
