/** Reads the doc comments of `client/protocol`: endpoints, operations, objects and their fields. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const folder = join(import.meta.dirname, '../client/protocol');

const textOf = (node) =>
  (node.jsDoc ?? [])
    .map(({ comment }) =>
      ts
        .getTextOfJSDocComment(comment)
        ?.replace(/\s*\n\s*/g, ' ')
        .replaceAll('`undefined`', 'absent')
        .trim(),
    )
    .filter(Boolean)
    .join(' ');

/** Returns the comments as `{ endpoints, sent, received, objects, fields }`, each by name. */
export function protocolDocs() {
  const docs = { endpoints: {}, sent: {}, received: {}, objects: {}, fields: {} };
  const put = (group, name, doc) => {
    if (doc !== '') docs[group][name] = docs[group][name] ? `${docs[group][name]} ${doc}` : doc;
  };
  /** Stores a comment. `path` contains the names from the declaration down. */
  const note = (path, doc) => {
    const [top, first, second, ...rest] = path;
    if (top.endsWith('Endpoints'))
      return (
        first &&
        put('endpoints', first, second ? `\`${[second, ...rest].join('.')}\`: ${doc}` : doc)
      );
    if (/Operations$/.test(top))
      return second && put(first, second, rest.length > 0 ? `\`${rest.join('.')}\`: ${doc}` : doc);
    if (path.length === 1) return put('objects', top, doc);
    return put(
      'fields',
      path.slice(0, 2).join('.'),
      path.length > 2 ? `\`${path.slice(2).join('.')}\`: ${doc}` : doc,
    );
  };
  const walk = (node, path) => {
    const name =
      ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)
        ? node.name.text
        : undefined;
    const here = name === undefined ? path : [...path, name];
    const doc = name === undefined ? '' : textOf(node);
    if (doc !== '') note(here, doc);
    // Repeat the comments of shared fields in each object that spreads them.
    if (ts.isSpreadAssignment(node) && ts.isIdentifier(node.expression)) {
      const from = `${node.expression.text}.`;
      for (const [field, shared] of Object.entries(docs.fields))
        if (field.startsWith(from)) note([...path, field.slice(from.length)], shared);
    }
    ts.forEachChild(node, (child) => walk(child, here));
  };
  for (const file of readdirSync(folder, { recursive: true })
    .filter((each) => each.endsWith('.ts'))
    .sort()) {
    const source = ts.createSourceFile(
      file,
      readFileSync(join(folder, file), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    for (const statement of source.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      for (const declaration of statement.declarationList.declarations) {
        const { text: top } = declaration.name;
        const exported = statement.modifiers?.some(
          ({ kind }) => kind === ts.SyntaxKind.ExportKeyword,
        );
        const doc = textOf(statement);
        if (exported && doc !== '' && !/(?:Endpoints|Operations)$/.test(top))
          put('objects', top, doc);
        walk(declaration, [top]);
      }
    }
  }
  return docs;
}
