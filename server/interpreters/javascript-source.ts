/** Rewrites a paragraph's JavaScript so that it can run repeatedly in one global scope. */

import type {
  AnyNode,
  ForOfStatement,
  ImportDeclaration,
  Pattern,
  Program,
  VariableDeclaration,
} from 'acorn';

type Statement = Program['body'][number];

/** Source code for the engine. */
interface PreparedSource {
  readonly source: string;
  /** `source` evaluates to a promise of the value (top-level `await` or `import`). */
  readonly isAsync: boolean;
  /** The last statement is an expression; its value is shown. */
  readonly hasValue: boolean;
}

interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly text: string;
}

/**
 * Rewrites a paragraph without moving lines. Top-level `const`, `let` and `class` become globals,
 * so that they persist and may be declared again. Code with top-level `await` or `import` is
 * wrapped in an async function. Code with syntax errors is returned unchanged, so that the engine
 * reports them.
 */
export async function prepareJavaScript(code: string): Promise<PreparedSource> {
  const { parse } = await import('acorn');
  let statements: Program['body'];
  try {
    statements = parse(code, {
      ecmaVersion: 'latest',
      allowAwaitOutsideFunction: true,
      allowHashBang: true,
      allowImportExportEverywhere: true,
      preserveParens: true,
    }).body.filter(({ type }) => type !== 'EmptyStatement');
  } catch {
    const isAsync = /\bawait\b/.test(code);
    return {
      source: isAsync ? `(async () => {${code}\n})()` : code,
      isAsync,
      hasValue: !isAsync,
    };
  }
  const hasValue = statements.at(-1)?.type === 'ExpressionStatement';
  return statements.some(waits)
    ? asyncSource(code, statements, hasValue)
    : { source: plainSource(code, statements), isAsync: false, hasValue };
}

/** Whether a node contains an import or, outside of its functions, `await`. */
function waits(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(waits);
  if (typeof node !== 'object' || node === null || !('type' in node)) return false;
  const { type } = node as AnyNode;
  if (/Function|ClassBody/.test(type)) return false;
  return (
    type === 'AwaitExpression' ||
    type === 'ImportDeclaration' ||
    (type === 'ForOfStatement' && (node as ForOfStatement).await) ||
    Object.values(node).some(waits)
  );
}

function plainSource(code: string, statements: readonly Statement[]): string {
  const edits: Edit[] = [];
  for (const node of statements) {
    if (node.type === 'VariableDeclaration') {
      if (node.kind !== 'let' && node.kind !== 'const') continue;
      const remove = node.kind.length;
      edits.push({ at: node.start, remove, text: 'var'.padEnd(remove) }, ...resets(node));
    } else if (node.type === 'ClassDeclaration') {
      edits.push(
        { at: node.start, remove: 0, text: `var ${node.id.name} = ` },
        { at: node.end, remove: 0, text: ';' },
      );
    }
  }
  return apply(code, edits);
}

function asyncSource(
  code: string,
  statements: readonly Statement[],
  hasValue: boolean,
): PreparedSource {
  const edits: Edit[] = [];
  const globals = new Set<string>();
  let first = '';
  for (const node of statements) {
    if (node.type === 'VariableDeclaration') {
      if (!['var', 'let', 'const'].includes(node.kind)) continue;
      for (const { id } of node.declarations) for (const name of namesOf(id)) globals.add(name);
      // `void (…)` makes it an expression, in which an object pattern is not parsed as a block.
      edits.push({ at: node.start, remove: node.kind.length, text: 'void (' }, ...resets(node));
      const hasEnd = code[node.end - 1] === ';';
      edits.push({ at: hasEnd ? node.end - 1 : node.end, remove: 0, text: hasEnd ? ')' : ');' });
    } else if (node.type === 'ClassDeclaration') {
      globals.add(node.id.name);
      edits.push(
        { at: node.start, remove: 0, text: `${node.id.name} = ` },
        { at: node.end, remove: 0, text: ';' },
      );
    } else if (node.type === 'FunctionDeclaration') {
      first += `globalThis.${node.id.name} = ${node.id.name};`;
    } else if (node.type === 'ImportDeclaration') {
      for (const { local } of node.specifiers) globals.add(local.name);
      const lines = code.slice(node.start, node.end).split('\n').length;
      const text = importText(node) + '\n'.repeat(lines - 1);
      edits.push({ at: node.start, remove: node.end - node.start, text });
    } else if (hasValue && node === statements.at(-1) && node.type === 'ExpressionStatement') {
      edits.push(
        { at: node.start, remove: 0, text: 'return (' },
        { at: node.expression.end, remove: 0, text: ')' },
      );
    }
  }
  const declared = globals.size > 0 ? `var ${[...globals].join(', ')};` : '';
  return {
    source: `${declared}(async () => {${first}${apply(code, edits)}\n})()`,
    isAsync: true,
    hasValue,
  };
}

function namesOf(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((each) =>
        namesOf(each.type === 'Property' ? each.value : each),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap((each) => (each ? namesOf(each) : []));
    case 'AssignmentPattern':
      return namesOf(pattern.left);
    case 'RestElement':
      return namesOf(pattern.argument);
    default:
      return [];
  }
}

/** Redeclaring a variable without a value resets it to undefined. */
const resets = ({ declarations }: VariableDeclaration): Edit[] =>
  declarations
    .filter(({ init }) => !init)
    .map(({ end }) => ({ at: end, remove: 0, text: ' = undefined' }));

/** Converts an import declaration to assignments from `import()`. */
function importText({ specifiers, source }: ImportDeclaration): string {
  let text = `await import(${JSON.stringify(source.value)})`;
  const parts: string[] = [];
  for (const specifier of specifiers) {
    const { name } = specifier.local;
    if (specifier.type === 'ImportNamespaceSpecifier') text = `(${name} = ${text})`;
    else if (specifier.type === 'ImportDefaultSpecifier') parts.push(`default: ${name}`);
    else {
      const { imported } = specifier;
      const key = imported.type === 'Literal' ? imported.raw : imported.name;
      parts.push(`${key}: ${name}`);
    }
  }
  return `void (${parts.length > 0 ? `{ ${parts.join(', ')} } = ` : ''}${text});`;
}

function apply(code: string, edits: readonly Edit[]): string {
  let result = '';
  let done = 0;
  for (const edit of [...edits].sort((a, b) => a.at - b.at)) {
    result += code.slice(done, edit.at) + edit.text;
    done = edit.at + edit.remove;
  }
  return result + code.slice(done);
}
