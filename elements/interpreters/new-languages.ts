/** How to install the kernels of common languages. `docs/interpreters/jupyter-kernels.md` too. */
import type { JupyterKernel } from '@tiding/client/protocol';

/** A language and the commands that install its Jupyter kernel. */
export interface NewLanguage {
  readonly name: string;
  readonly commands: readonly string[];
}

/** Debian's package of R's kernel contains the kernelspec; the others need a second command. */
const languages: readonly NewLanguage[] = [
  { name: 'R', commands: ['sudo apt-get update', 'sudo apt-get install r-cran-irkernel'] },
  {
    name: 'Bash',
    commands: [
      'python3 -m venv ~/bash-kernel && ~/bash-kernel/bin/pip install bash_kernel',
      '~/bash-kernel/bin/python -m bash_kernel.install',
    ],
  },
  {
    name: 'Julia',
    commands: [
      'curl -fsSL https://install.julialang.org | sh -s -- --yes',
      `~/.juliaup/bin/julia -e 'using Pkg; Pkg.add("IJulia")'`,
    ],
  },
  {
    name: 'Scala',
    commands: [
      'curl -fLo coursier https://github.com/coursier/launchers/raw/master/coursier',
      'sh coursier launch --use-bootstrap almond -- --install',
    ],
  },
];

/** Returns the languages that no kernel on the machine of the server runs. */
export function languagesToAdd(kernels: readonly JupyterKernel[]): readonly NewLanguage[] {
  const known = new Set(
    kernels.filter(({ remote }) => !remote).map(({ language }) => language?.toLowerCase()),
  );
  return languages.filter(({ name }) => !known.has(name.toLowerCase()));
}
