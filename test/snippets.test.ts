/**
 * Every fenced snippet of the README and the documentation is compiled, parsed or checked against
 * the program.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Snippet, snippetsOf } from './support/markdown.ts';
import {
  checkHtml,
  checkJavaScript,
  checkJson,
  checkMagpie,
  checkPython,
  checkShell,
  checkSql,
  checkTemplates,
  checkYaml,
  type Program,
  readProgram,
} from './support/snippet-checks.ts';
import { root } from './support/sources.ts';
import { checkTypeScript } from './support/typescript-snippets.ts';

const load = (path: string): Promise<unknown> => import(join(root, 'scripts', path));
const { build } = (await load('build.mjs')) as { build: () => Promise<boolean> };
const { paths, readJson } = (await load('docs/layout.mjs')) as {
  paths: { manifest: string };
  readJson: (path: string) => unknown;
};
const { readPages } = (await load('docs/pages.mjs')) as {
  readPages: (docs: string) => { path: string; text: string }[];
};
const { generated, generatedPages } = (await load('docs/generate.mjs')) as {
  generated: readonly RegExp[];
  generatedPages: () => Promise<{ pages: Map<string, string> }>;
};

/** Languages without a check. */
const UNCHECKED = new Set([
  'text',
  '',
  'css',
  // The proxies' files are served by test/proxy.test.ts.
  'nginx',
  'caddyfile',
  'java',
  'go',
  'csharp',
  'php',
  'apache',
  'dockerfile',
  'ini',
  'toml',
  'xml',
  'http',
  'diff',
  'md',
  'markdown',
  'r',
  'scala',
  'powershell',
  'csv',
  'tsv',
]);

let all: Snippet[] = [];
let declarations: { tagName?: string; attributes?: { name: string }[] }[];
let program: Program;
const counts = new Map<string, number>();

const isMarked = ({ info }: Snippet): boolean => /(?:^|\s)no-check\b/.test(info);
/** Snippets of these languages, without those marked no-check. */
function of(...languages: string[]): Snippet[] {
  const found = all.filter((each) => languages.includes(each.language) && !isMarked(each));
  counts.set(languages.join(', '), found.length);
  return found;
}
const snippet = (language: string, code: string): Snippet => ({
  file: 'x.md',
  line: 10,
  language,
  info: '',
  code,
});

beforeAll(async () => {
  await build();
  const made = (await generatedPages()).pages;
  const written = readPages(join(root, 'docs')).filter(
    ({ path }) => !generated.some((name) => name.test(path)),
  );
  const pages = [...written, ...[...made].map(([path, text]) => ({ path, text }))];
  all = [
    ...snippetsOf('README.md', readFileSync(join(root, 'README.md'), 'utf8')),
    ...pages.flatMap(({ path, text }) => snippetsOf(`docs/${path}`, text)),
  ];
  ({ declarations } = (
    readJson(paths.manifest) as { modules: { declarations: typeof declarations }[] }
  ).modules[0]!);
  program = await readProgram();
});

afterAll(() => {
  const unchecked = all.filter(({ language }) => UNCHECKED.has(language)).length;
  const marked = all.filter(isMarked).length;
  console.log(
    `Snippets checked: ${[...counts].map(([name, count]) => `${name} ${count}`).join('; ')}. ` +
      `Not checked: ${unchecked} in other languages, ${marked} marked no-check.`,
  );
});

describe('snippets', () => {
  it('are marked no-check with a reason', () => {
    expect(
      all
        .filter((each) => isMarked(each) && !/no-check\W+\w+/.test(each.info))
        .map(({ file, line }) => `${file}:${line}: no-check needs a reason after it`),
    ).toEqual([]);
  });

  it('are in known languages', () => {
    const known = new Set([
      ...UNCHECKED,
      'ts',
      'tsx',
      'js',
      'jsx',
      'html',
      'json',
      'yaml',
      'yml',
      'sql',
      'python',
      'magpie',
      'sh',
      'bash',
      'console',
      'vue',
      'svelte',
    ]);
    expect(
      all
        .filter(({ language }) => !known.has(language))
        .map(({ file, line, language }) => `${file}:${line}: ${language}`),
    ).toEqual([]);
  });

  it('of TypeScript compile against the sources', () => {
    const found = of('ts', 'tsx');
    expect(found.length).toBeGreaterThan(50);
    expect(checkTypeScript(found)).toEqual([]);
  }, 300_000);

  it('of JavaScript parse', () => expect(checkJavaScript(of('js', 'jsx'))).toEqual([]));

  it('of HTML use existing elements and attributes', () => {
    const found = of('html');
    expect(found.length).toBeGreaterThan(50);
    expect(checkHtml(found, declarations)).toEqual([]);
  });

  it('of templates use existing elements', () =>
    expect(checkTemplates(of('vue', 'svelte'), declarations)).toEqual([]));

  it('of shells use existing commands and options', () =>
    expect(checkShell(of('sh', 'bash', 'console'), program)).toEqual([]));

  it('of JSON, YAML, SQL, Python and the command language parse', async () => {
    expect([
      ...checkJson(of('json')),
      ...checkYaml(of('yaml', 'yml')),
      ...(await checkSql(of('sql'))),
      ...(checkPython(of('python')) ?? []),
      ...(await checkMagpie(of('magpie'))),
    ]).toEqual([]);
  });
});

describe('the checks', () => {
  it('find errors in TypeScript, with the line', () => {
    expect(
      checkTypeScript([
        snippet(
          'ts',
          "import { createClient } from '@tiding/client';\n" +
            "const mine = createClient({ server: 'http://127.0.0.1:8080' });\n" +
            'mine.nothing();',
        ),
        {
          ...snippet('ts', 'await mine.open(1);\nconst text: string = noteId;\nnote.id.length;'),
          line: 20,
        },
        { ...snippet('ts', 'mine.open(noteId);'), file: 'y.md' },
      ]),
    ).toEqual([
      expect.stringMatching(/^x\.md:12: Property 'nothing' does not exist on type 'Client'/),
      expect.stringMatching(/^x\.md:20: Argument of type 'number'/),
      expect.stringMatching(/^y\.md:10: Cannot find name 'mine'/),
    ]);
  });

  it('find errors in HTML', () => {
    expect(
      checkHtml(
        [
          snippet(
            'html',
            '<!-- <tiding-nothing> -->\n<p>\n' +
              '<tiding-notebook note="x" colour="red" aria-label="y" ' +
              'theme="dark"></tiding-notebook></p>',
          ),
          snippet(
            'html',
            '<tiding-nothing></tiding-nothing><br>\n<script type="module">\n' +
              'import x from;\n</script>\n<tiding-table><script type="application/json">{ ' +
              'a }</script></tiding-table>\n<tiding-table />\n<div>',
          ),
        ],
        declarations,
      ),
    ).toEqual([
      'x.md:12: <tiding-notebook> has no attribute colour',
      'x.md:10: there is no element <tiding-nothing>',
      expect.stringMatching(/^x\.md:12: /),
      expect.stringMatching(/^x\.md:14: /),
      'x.md:15: <tiding-table/> does not close itself in HTML',
      'x.md:10: not closed: <div>',
    ]);
  });

  it('find unknown elements in templates', () => {
    expect(
      checkTemplates(
        [
          snippet(
            'vue',
            '<template>\n  <tiding-table :data="a" />\n  <tiding-nothing />\n</template>',
          ),
        ],
        declarations,
      ),
    ).toEqual(['x.md:12: there is no element <tiding-nothing>']);
  });

  it('find unknown commands and options', () => {
    expect(
      checkShell(
        [
          snippet(
            'sh',
            'npx tiding --port 9000 --no-open && tiding run "A b" -p x --json | jq ' +
              '.status # --nothing\ntiding user add ana --role r\ntiding help run\n' +
              'npm start -- --host 0.0.0.0\nTIDING_TOKEN=x tiding notes',
          ),
          snippet(
            'sh',
            'npx tiding serv\ntiding run x \\\n  --nothing\ntiding user remov ana\n' +
              'npm run nothing\nnpm start -- --nothing\ncurl --nothing x',
          ),
          snippet('console', '$ tiding nothing\ntiding nothing'),
        ],
        program,
      ),
    ).toEqual([
      "x.md:10: there is no command 'serv'",
      "x.md:11: 'tiding run' has no option --nothing",
      "x.md:13: there is no command 'user remov'",
      "x.md:14: package.json has no script 'nothing'",
      "x.md:15: 'tiding serve' has no option --nothing",
      "x.md:10: there is no command 'nothing'",
    ]);
  });

  it('find syntax errors', async () => {
    expect(checkJson([snippet('json', '{ "a": 1 }'), snippet('json', '{ a }')])).toEqual([
      expect.stringContaining('x.md:10: '),
    ]);
    expect(checkYaml([snippet('yaml', 'a: 1'), snippet('yaml', 'a: [1')])).toEqual(
      expect.arrayContaining([expect.stringContaining('x.md:10: ')]),
    );
    expect(
      await checkSql([
        snippet('sql', "%sql(limit=5)\nselect * from 'x.csv' where y = ${y=1}"),
        snippet('sql', 'selec 1'),
      ]),
    ).toEqual([expect.stringMatching(/^x\.md:10: .*selec/)]);
    expect(
      checkPython([
        snippet('python', '%python\nawait f(${x=1})'),
        snippet('python', 'a = 1\ndef'),
      ]) ?? [expect.anything()],
    ).toEqual([expect.stringMatching(/^x\.md:11: /)]);
    expect(
      await checkMagpie([
        snippet('magpie', 'create schema {"name": "core"};'),
        snippet('magpie', 'creat schema'),
      ]),
    ).toEqual([expect.stringContaining('x.md:10: ')]);
    expect(checkJavaScript([snippet('js', 'const a = 1;'), snippet('js', 'const a = ;')])).toEqual([
      expect.stringContaining('x.md:10: '),
    ]);
  });
});
