/**
 * The program `tiding` as one file, for people who talk to this server from a shell: the commands that do, with all they are
 * made of, and this server's address in place of their default. Node is all that it needs.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVER_VERSION } from './version.ts';

/** Name of the file. */
export const COMMAND_LINE_NAME = 'tiding.mjs';

const HERE = fileURLToPath(import.meta.url);
/** Stands for the part of the program that serves, which is another one's work. */
const NO_SERVER = `export const main = () => {
  process.stderr.write("tiding: this file has the commands that talk to a server (notes, run, export, import, watch).\\nTo serve a workbench, install the package: npm install -g tiding\\n");
  process.exit(2);
};`;

/** Where the program begins: its source beside ours, else what was built of it. */
function entry(): string {
  const file = extname(HERE) === '.ts' ? 'node/cli.ts' : 'cli.js';
  let folder = dirname(HERE);
  while (!existsSync(join(folder, file)) && dirname(folder) !== folder) folder = dirname(folder);
  return join(folder, file);
}

let made: Promise<string> | undefined;

async function bundle(): Promise<string> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [entry()],
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    minify: true,
    legalComments: 'eof',
    charset: 'utf8',
    logLevel: 'silent',
    conditions: extname(HERE) === '.ts' ? ['source'] : [],
    outfile: COMMAND_LINE_NAME,
    plugins: [
      {
        name: 'no-server',
        setup(esbuild) {
          esbuild.onLoad({ filter: /[/\\]cli(-[^/\\]*)?\.[jt]s$/ }, async ({ path }) => {
            // The commands read their own options; the one that serves reads them with this package.
            return /from ['"]commander['"]/.test(await readFile(path, 'utf8'))
              ? { contents: NO_SERVER, loader: 'js' }
              : undefined;
          });
        },
      },
    ],
  });
  return `${outputFiles[0]!.text}\nawait main(process.argv.slice(2));\n`;
}

/** The file, for a server of this address. Made once. */
export async function commandLineFile(server: string): Promise<string> {
  made ??= bundle().catch((error: unknown) => {
    made = undefined;
    throw error;
  });
  // An export of the entry: called at the end, after all of it is there.
  const code = (await made).replace(/export\s*\{\s*([\w$]+)\s+as\s+main\s*\};?/, 'const main=$1;');
  return (
    `#!/usr/bin/env node\n// Tiding ${SERVER_VERSION}. Needs Node 20.19 or newer: node ${COMMAND_LINE_NAME} help\n` +
    `import { createRequire as tidingRequire } from 'node:module';\nconst require = tidingRequire(import.meta.url);\nprocess.env.TIDING_SERVER ??= ${JSON.stringify(server)};\n${code}`
  );
}
