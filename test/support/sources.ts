/** Reads the project's source files and their imports, with the TypeScript parser. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

/** Root folder of the repository. */
export const root = join(import.meta.dirname, '../..');

/**
 * One import of a file: the `specifier` as written, and its target if that is a file of this
 * repository.
 */
export interface Import {
  readonly specifier: string;
  /** Path from the root, with `/`; absent for a package. */
  readonly target: string | undefined;
  /** Whether the import is erased at compile time. */
  readonly typeOnly: boolean;
  /** `file:line: text`, for the message of a failing test. */
  readonly place: string;
}

/** A source file. `path` is relative to the root, with `/`. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

/** Whether a file is a test, or used by tests only. */
export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || /(^|\/)test(-[a-z-]+)?[/.]/.test(path);
}

/** All files below a folder of the root whose name matches. */
export function filesOf(folder: string, name: RegExp): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name.startsWith('.'))
      return [];
    const path = posix.join(folder, entry.name);
    return entry.isDirectory() ? filesOf(path, name) : name.test(entry.name) ? [path] : [];
  });
}

/**
 * The files with tables of texts, inner folders first: a table may have a part in a folder below
 * its own.
 */
export const textFiles = (): string[] =>
  filesOf('elements', /^(?:.*-)?texts\.ts$|^common\.ts$/)
    .filter((file) => !file.startsWith('elements/wording/'))
    .sort((one, other) => other.split('/').length - one.split('/').length);

export function sourceOf(path: string, text = readFileSync(join(root, path), 'utf8')): Source {
  const kind = /x$/.test(path)
    ? ts.ScriptKind.TSX
    : /\.m?js$/.test(path)
      ? ts.ScriptKind.JS
      : ts.ScriptKind.TS;
  return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind) };
}

/** `file:line: text` of a node. */
export function placeOf(source: Source, node: ts.Node): string {
  const { line } = source.tree.getLineAndCharacterOfPosition(node.getStart(source.tree));
  return `${source.path}:${line + 1}: ${source.text.split('\n')[line]!.trim()}`;
}

/** Visits a node and all its descendants, parents first. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/**
 * All imports of a file: declarations, re-exports, dynamic imports, and types like `import('…')`.
 */
export function importsOf(source: Source): Import[] {
  const found: Import[] = [];
  const add = (node: ts.Node, name: ts.Node | undefined, typeOnly: boolean) => {
    if (!name || !ts.isStringLiteralLike(name)) return;
    const { text: specifier } = name;
    const target = specifier.startsWith('.')
      ? posix.join(posix.dirname(source.path), specifier)
      : undefined;
    found.push({ specifier, target, typeOnly, place: placeOf(source, node) });
  };
  walk(source.tree, (node) => {
    if (ts.isImportDeclaration(node)) {
      // `import { type A }` is not enough: the module is still loaded.
      add(
        node,
        node.moduleSpecifier,
        node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword,
      );
    } else if (ts.isExportDeclaration(node)) {
      add(node, node.moduleSpecifier, node.isTypeOnly);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node, node.arguments[0], false);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node, node.argument.literal, true);
    }
  });
  return found;
}

/**
 * The cycles of a graph of imports: its strongly connected components of more than one file
 * (Tarjan's algorithm), each sorted, the shorter ones first.
 */
export function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    stack.push(file);
    for (const target of graph.get(file) ?? []) {
      if (!graph.has(target)) continue;
      if (!order.has(target)) visit(target);
      if (stack.includes(target))
        lowest.set(file, Math.min(lowest.get(file)!, lowest.get(target)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const cycle = stack.splice(stack.indexOf(file));
    if (cycle.length > 1) found.push(cycle.sort());
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return found.sort((a, b) => a.length - b.length);
}
