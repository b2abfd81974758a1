/** `%ir`, `%julia-1.11`, …: an interpreter for each Jupyter kernel that is installed. */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { completingEditor } from '../completing-editor.ts';
import type { InterpreterHost, InterpreterSpec } from '../contract.ts';
import { injectProperty } from '../credential-text.ts';
import { childEnvironment } from '../processes/child-environment.ts';
import { environmentProperty, variablesOf } from './environment-property.ts';
import { JupyterKernel } from './jupyter-kernel.ts';
import { KernelProblem } from './kernel-problem.ts';
import { type KernelEngine, KernelSession } from './kernel-session.ts';
import { variablesCode } from './kernel-variables.ts';
import { type InstalledKernel, type Kernelspec, readKernelspec } from './kernelspecs.ts';

/** Languages whose kernels run any program, as `%sh` does. */
const shells: readonly string[] = ['bash', 'sh', 'zsh', 'fish', 'powershell', 'pwsh'];
const environment = 'kernel.environment';

/**
 * Returns an interpreter for each kernel. A kernel whose name is taken gets the suffix `_kernel`:
 * the kernel `bash` is `%bash_kernel`, because `%bash` is `%sh`. The first kernel of a language
 * also has its name: `%r` is `%ir`.
 */
export function kernelInterpreters(
  kernels: readonly Kernelspec[],
  others: readonly InterpreterSpec[],
): InterpreterSpec[] {
  const taken = new Set(
    others.flatMap(({ name, aliases = [], variants = {} }) => [
      name,
      ...aliases,
      ...Object.keys(variants),
    ]),
  );
  const free = (name: string): boolean => {
    if (taken.has(name.toLowerCase())) return false;
    taken.add(name.toLowerCase());
    return true;
  };
  const named = kernels.flatMap((kernel) => {
    const name = [kernel.name, `${kernel.name}_kernel`].find(free);
    return name === undefined ? [] : [{ kernel, name }];
  });
  return named.map(({ kernel, name }) => {
    const language = kernel.language.toLowerCase();
    const isAlias = /^\w+$/.test(language) && free(language);
    return interpreterOf(kernel, name, isAlias ? [language] : []);
  });
}

function interpreterOf(
  kernel: Kernelspec,
  name: string,
  aliases: readonly string[],
): InterpreterSpec {
  const language = kernel.language.toLowerCase();
  const isShell = shells.includes(language);
  const installed: { -readonly [Key in keyof InstalledKernel]: InstalledKernel[Key] } = {
    spec: kernel,
    version: undefined,
  };
  return {
    name,
    kernel: installed,
    description: `Jupyter kernel ${kernel.displayName} in ${kernel.folder}`,
    aliases,
    ...(isShell ? { shell: true } : {}),
    sharing: { perNote: 'isolated', perUser: '' },
    properties: [environmentProperty(environment), injectProperty],
    // A shell is `bash`, not `sh`: in the code of kernels, `${…}` is never a form.
    editor: completingEditor(isShell ? 'bash' : language || 'text'),
    create: (host) =>
      new KernelSession(
        host,
        kernelEngine(host, kernel, (version) => (installed.version = version)),
      ),
  };
}

/** Starts the kernel as its kernelspec says. It has no tables. */
function kernelEngine(
  host: InterpreterHost,
  { name, folder, displayName, language }: Kernelspec,
  onVersion: (version: string) => void,
): KernelEngine {
  const start = async (signal: AbortSignal): Promise<JupyterKernel> => {
    const file = join(folder, 'kernel.json');
    const missing = (reason: string): KernelProblem =>
      new KernelProblem(
        `${displayName} can't be started: ${reason} (${file}). Install the kernel again, or ask ` +
          'an administrator.',
      );
    // It is read again, because the kernel may have been installed again since the server started.
    const kernel = await readFile(file, 'utf8')
      .then((text) => readKernelspec(name, folder, text))
      .catch((error: Error) => {
        throw missing(error.message);
      });
    const prefix = dirname(dirname(dirname(dirname(folder))));
    const command = kernel.argv.map((part) =>
      part.replaceAll('{resource_dir}', folder).replaceAll('{prefix}', prefix),
    ) as [string, ...string[]];
    const [program] = command;
    command[0] = programOf(program, prefix);
    const known = childEnvironment();
    const given = variablesOf(host.properties[environment] ?? '') ?? {};
    try {
      const started = await JupyterKernel.start({
        command,
        cwd: host.files,
        env: childEnvironment({
          ...Object.fromEntries(
            Object.entries(kernel.env).map(([key, value]) => [key, withVariables(value, known)]),
          ),
          ...given,
          // Kernels on ipykernel end when this process is gone.
          JPY_PARENT_PID: String(process.pid),
          IPYTHONDIR: join(host.folder, 'ipython'),
        }),
        interruptMode: kernel.interruptMode,
        isIpykernel: command.some((part) => /^ipykernel(?:_launcher)?$/.test(part)),
        folder: host.folder,
        signal,
      });
      onVersion(started.languageVersion);
      return started;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') throw missing(`the program ${program} was not found`);
      if (code === 'EACCES') throw missing(`the program ${program} may not be run`);
      throw error;
    }
  };
  return {
    name: displayName,
    variablesCode: variablesCode(language),
    prepare: () => Promise.resolve(start),
    prepared: () => Promise.resolve(start),
  };
}

/** Returns the program of a kernelspec. As in Jupyter, `python` is the one of its environment. */
function programOf(program: string, prefix: string): string {
  if (isAbsolute(program) || !/^python[\d.]*$/.test(basename(program))) return program;
  const own = join(prefix, 'bin', program);
  return existsSync(own) ? own : program;
}

/** Replaces `${NAME}` by variables of the environment; unknown ones stay. */
const withVariables = (text: string, known: Readonly<Record<string, string>>): string =>
  text.replace(/\$\{(\w+)\}/g, (whole, name: string) => known[name] ?? whole);
