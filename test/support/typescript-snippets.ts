/** Compiles TypeScript snippets of the documentation against the sources. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import type { Snippet } from './markdown.ts';
import { snippetPlace } from './snippet-checks.ts';
import { root } from './sources.ts';

const { entries } = (await import(join(root, 'scripts/docs/layout.mjs'))) as {
  entries: () => { name: string; local: string; source: string }[];
};

/** Names that pages use without declaring them, such as a client and an open note. */
const GLOBALS = `
import type { Client, Note, Paragraph } from '@tiding/client';
declare global {
  /** Made by createClient(). */
  const client: Client;
  /** Opened by client.open(). */
  const note: Note;
  const paragraph: Paragraph;
  const noteId: string;
  const paragraphId: string;
  const payload: unknown;
  const signal: AbortSignal;
}
`;

function projectOf(files: readonly string[]): object {
  const paths = Object.fromEntries(
    entries().flatMap(({ name, local, source }) =>
      [...new Set([name, local])].map((each) => [each, [join(root, source)]]),
    ),
  );
  const define = entries().find(({ name }) => name === '@tiding/elements/define')!.source;
  return {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      // An element's tag and a server's built module define the same elements.
      paths: {
        ...paths,
        '@tiding/elements/*': [join(root, define)],
        // The components are generated.
        '@tiding/elements/react': [join(root, 'elements/dist/react.d.ts')],
        '@tiding/elements/types/*': [join(root, 'elements/dist/types/*')],
        'http://127.0.0.1:8080/tiding.js': [join(root, define)],
      },
      lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable', 'ESNext.Disposable'],
      types: ['node', 'react'],
      jsx: 'react-jsx',
      // The settings of most readers: strict, without further options.
      noUncheckedIndexedAccess: false,
      isolatedModules: false,
      verbatimModuleSyntax: false,
      erasableSyntaxOnly: false,
      noFallthroughCasesInSwitch: false,
      moduleDetection: 'force',
    },
    files,
  };
}

/** Names that a file declares or imports at its top level. */
function declared(tree: ts.SourceFile): string[] {
  const names: string[] = [];
  const bind = (name: ts.BindingName): void => {
    if (ts.isIdentifier(name)) names.push(name.text);
    else for (const each of name.elements) if (ts.isBindingElement(each)) bind(each.name);
  };
  for (const statement of tree.statements) {
    if (ts.isVariableStatement(statement))
      for (const { name } of statement.declarationList.declarations) bind(name);
    else if (ts.isImportDeclaration(statement)) {
      const { name, namedBindings } = statement.importClause ?? {};
      if (name) names.push(name.text);
      if (namedBindings && ts.isNamespaceImport(namedBindings)) names.push(namedBindings.name.text);
      else if (namedBindings)
        for (const {
          name: { text },
        } of namedBindings.elements)
          names.push(text);
    } else if (
      (ts.isFunctionDeclaration(statement) ||
        ts.isClassDeclaration(statement) ||
        ts.isInterfaceDeclaration(statement) ||
        ts.isTypeAliasDeclaration(statement) ||
        ts.isEnumDeclaration(statement)) &&
      statement.name
    )
      names.push(statement.name.text);
  }
  return names;
}

/** Names that a file exports in their declaration. */
const exported = (tree: ts.SourceFile): Set<string> =>
  new Set(
    tree.statements.flatMap((statement) =>
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
        ? declared(ts.factory.updateSourceFile(tree, [statement]))
        : [],
    ),
  );

/**
 * Compiles TypeScript snippets against the sources, all in one program. A snippet can use the
 * declarations of earlier snippets on its page, and the names in {@link GLOBALS}.
 */
export function checkTypeScript(snippets: readonly Snippet[]): string[] {
  const texts = new Map<string, string>([['globals.d.ts', GLOBALS]]);
  const bySource = new Map<string, Snippet>();
  const pages = new Map<string, Map<string, string>>();
  snippets.forEach((snippet, index) => {
    const path = `snippet-${index}.${snippet.language}`;
    const tree = ts.createSourceFile(
      path,
      snippet.code,
      ts.ScriptTarget.Latest,
      true,
      snippet.language === 'tsx' ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
    );
    const own = declared(tree);
    const before = pages.get(snippet.file) ?? new Map<string, string>();
    const shared = [...before]
      .filter(([name]) => !own.includes(name))
      .map(([name, from]) => `import { ${name} } from './${from}';`)
      .join(' ');
    const already = exported(tree);
    const names = own.filter((name) => !already.has(name));
    // Appended after the last line, so that line numbers stay the same.
    texts.set(path, `${snippet.code}\n${shared} export { ${[...new Set(names)].join(', ')} };`);
    bySource.set(path, snippet);
    for (const name of own) before.set(name, path);
    pages.set(snippet.file, before);
  });
  const rooms = [...new Set(entries().map(({ source }) => dirname(join(root, source))))];
  const ambient = [
    ...rooms.flatMap((room) =>
      ts.sys.readDirectory(room, ['.d.ts'], ['**/node_modules'], undefined, 1),
    ),
    // Comes with the import of each tag.
    join(root, 'elements/dist/types/elements.d.ts'),
  ];
  return compile(texts, ambient).flatMap(({ path, line, message }) => {
    const snippet = bySource.get(path);
    if (snippet) return [`${snippetPlace(snippet, line)}: ${message}`];
    // Errors in the sources are errors of their room.
    return path === '' ? [message] : [];
  });
}

/** Errors of a program; `path` is empty for an error of the whole program. */
function compile(
  texts: ReadonlyMap<string, string>,
  ambient: readonly string[],
): { path: string; line: number; message: string }[] {
  // Inside the project, where packages are found.
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache/snippets-'));
  try {
    for (const [path, text] of texts) writeFileSync(join(folder, path), text);
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify(projectOf([...texts.keys(), ...ambient])),
    );
    // The native compiler takes half the processor time, and one checker half that of four.
    const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
    const { stdout, status } = spawnSync(
      process.execPath,
      [tsc, '-p', '.', '--pretty', 'false', '--checkers', '1'],
      { cwd: folder, encoding: 'utf8' },
    );
    if (status === null) throw new Error('The compiler was ended.');
    return [...stdout.matchAll(/^(?:(\S+)\((\d+),\d+\): )?error TS\d+: (.*(?:\n .*)*)/gm)].map(
      ([, path = '', line = '1', message]) => ({
        path,
        line: Number(line) - 1,
        message: message!,
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
