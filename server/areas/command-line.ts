/**
 * Bundles the `tiding` program into a single file for use from a shell. It contains the commands
 * that talk to a server, with this server's address as their default, and needs only Node.js.
 */
import { readFile } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVER_VERSION } from '../base/version.ts';
import { findInPackage } from '../storage/package-folder.ts';

/** Name of the downloaded file. */
export const COMMAND_LINE_NAME = 'tiding.mjs';

const HERE = fileURLToPath(import.meta.url);
/** Replaces the server commands, which the bundle must not contain. */
const NO_SERVER = `export const defineServerCommand = () => {
  process.stderr.write(
    'tiding: this file has the commands that talk to a server (notes, run, export, import, ' +
      'watch).\\nTo serve a workbench, install the package: npm install -g tiding\\n',
  );
  process.exit(2);
};`;

/** Path of the program's entry: its source beside this module, or else the built file. */
function entry(): string {
  const file = extname(HERE) === '.ts' ? 'cli/main.ts' : 'cli.js';
  return findInPackage(file) ?? file;
}

let made: Promise<string> | undefined;

async function bundle(): Promise<string> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    stdin: {
      contents:
        `import { main } from ${JSON.stringify(entry())}; ` + 'await main(process.argv.slice(2));',
      resolveDir: dirname(HERE),
    },
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
          esbuild.onLoad({ filter: /[/\\]serve(-[^/\\]*)?\.[jt]s$/ }, async ({ path }) => {
            return (await readFile(path, 'utf8')).includes('defineServerCommand')
              ? { contents: NO_SERVER, loader: 'js' }
              : undefined;
          });
        },
      },
    ],
  });
  return outputFiles[0]!.text;
}

/** Returns the bundle for a server at this address. Built once per process. */
export async function commandLineFile(server: string): Promise<string> {
  made ??= bundle().catch((error: unknown) => {
    made = undefined;
    throw error;
  });
  return (
    `#!/usr/bin/env node\n// Tiding ${SERVER_VERSION}. ` +
    `Needs Node 20.19 or newer: node ${COMMAND_LINE_NAME} help\n` +
    "import { createRequire as tidingRequire } from 'node:module';\n" +
    'const require = tidingRequire(import.meta.url);\n' +
    `process.env.TIDING_SERVER ??= ${JSON.stringify(server)};\n${await made}`
  );
}
