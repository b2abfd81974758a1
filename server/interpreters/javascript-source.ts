/** Rewrites a paragraph's JavaScript so that it can run repeatedly in one global scope. */

/** Source code for the engine. */
export interface PreparedSource {
  readonly source: string;
  /** `source` evaluates to a promise of the value (top-level `await` or `import`). */
  readonly isAsync: boolean;
  /** The last statement is an expression; its value is shown. */
  readonly hasValue: boolean;
}

type Tree = ReturnType<
  typeof import('@codemirror/lang-javascript')['javascriptLanguage']['parser']['parse']
>;
type Node = Tree['topNode'];

interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly text: string;
}

const functions = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunction',
  'MethodDeclaration',
  'ClassBody',
]);

/**
 * Rewrites a paragraph without moving lines. Top-level `const`, `let` and `class` become globals,
 * so that they persist and may be declared again. Code with top-level `await` or `import` is
 * wrapped in an async function. Code with syntax errors is returned unchanged, so that the engine
 * reports them.
 */
export async function prepareJavaScript(code: string): Promise<PreparedSource> {
  const { javascriptLanguage } = await import('@codemirror/lang-javascript');
  const tree = javascriptLanguage.parser.parse(code);
  let broken = false;
  let waits = false;
  tree.iterate({
    enter: ({ type, node }) => {
      if (type.isError) broken = true;
      const waiting =
        type.name === 'AwaitExpression' ||
        (type.name === 'ForStatement' && node.getChild('await') !== null);
      if ((waiting && !isNested(node)) || type.name === 'ImportDeclaration') waits = true;
    },
  });
  if (broken)
    return {
      source: waits ? `(async () => {${code}\n})()` : code,
      isAsync: waits,
      hasValue: !waits,
    };
  const statements: Node[] = [];
  for (let node = tree.topNode.firstChild; node; node = node.nextSibling) {
    if (!/Comment$|^;$|^Hashbang$/.test(node.name)) statements.push(node);
  }
  const hasValue = statements.at(-1)?.name === 'ExpressionStatement';
  return waits
    ? asyncSource(code, statements, hasValue)
    : { source: plainSource(code, statements), isAsync: false, hasValue };
}

function isNested(node: Node): boolean {
  for (let at = node.parent; at; at = at.parent) {
    if (functions.has(at.name) || (at.name === 'Property' && at.getChild('ParamList'))) return true;
  }
  return false;
}

function plainSource(code: string, statements: readonly Node[]): string {
  const edits: Edit[] = [];
  for (const node of statements) {
    if (node.name === 'VariableDeclaration') {
      const keyword = textOf(code, node.firstChild);
      if (keyword === 'var') continue;
      if (keyword !== 'let' && keyword !== 'const') continue;
      edits.push({ at: node.from, remove: keyword.length, text: 'var'.padEnd(keyword.length) });
      // Redeclaring a variable resets it to undefined.
      edits.push(...bareDefinitions(node).map((at) => ({ at, remove: 0, text: ' = undefined' })));
    } else if (node.name === 'ClassDeclaration') {
      edits.push(
        { at: node.from, remove: 0, text: `var ${nameOf(code, node)} = ` },
        { at: node.to, remove: 0, text: ';' },
      );
    }
  }
  return apply(code, edits);
}

function asyncSource(code: string, statements: readonly Node[], hasValue: boolean): PreparedSource {
  const edits: Edit[] = [];
  const globals = new Set<string>();
  let first = '';
  for (const [index, node] of statements.entries()) {
    if (node.name === 'VariableDeclaration') {
      const keyword = textOf(code, node.firstChild);
      if (!['var', 'let', 'const'].includes(keyword)) continue;
      for (const name of definitions(code, node)) globals.add(name);
      // `void (…)` makes it an expression, in which an object pattern is not parsed as a block.
      edits.push({ at: node.from, remove: keyword.length, text: 'void (' });
      edits.push(...bareDefinitions(node).map((at) => ({ at, remove: 0, text: ' = undefined' })));
      const end = node.lastChild?.name === ';' ? node.lastChild.from : node.to;
      edits.push({ at: end, remove: 0, text: end === node.to ? ');' : ')' });
    } else if (node.name === 'ClassDeclaration') {
      globals.add(nameOf(code, node));
      edits.push(
        { at: node.from, remove: 0, text: `${nameOf(code, node)} = ` },
        { at: node.to, remove: 0, text: ';' },
      );
    } else if (node.name === 'FunctionDeclaration') {
      first += `globalThis.${nameOf(code, node)} = ${nameOf(code, node)};`;
    } else if (node.name === 'ImportDeclaration') {
      const { text, names } = importText(code.slice(node.from, node.to));
      for (const name of names) globals.add(name);
      edits.push({ at: node.from, remove: node.to - node.from, text });
    } else if (hasValue && index === statements.length - 1 && node.firstChild) {
      edits.push(
        { at: node.from, remove: 0, text: 'return (' },
        { at: node.firstChild.to, remove: 0, text: ')' },
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

/** Names that a declaration defines, including names in patterns. */
function definitions(code: string, declaration: Node): string[] {
  const names: string[] = [];
  declaration.cursor().iterate((node) => {
    if (functions.has(node.name)) return false;
    if (node.name === 'VariableDefinition') names.push(code.slice(node.from, node.to));
    return undefined;
  });
  return names;
}

/** End positions of declared names without an initial value. */
function bareDefinitions(declaration: Node): number[] {
  const ends: number[] = [];
  for (let node = declaration.firstChild; node; node = node.nextSibling) {
    if (node.name === 'VariableDefinition' && node.nextSibling?.name !== 'Equals')
      ends.push(node.to);
  }
  return ends;
}

/** Converts an import declaration to assignments from `import()`, with the same number of lines. */
function importText(declaration: string): { text: string; names: string[] } {
  const [, clause = '', , module = ''] =
    /^import\b\s*(?:([^'"]*?)\s*\bfrom\s*)?(['"])(.*?)\2/s.exec(declaration) ?? [];
  const names: string[] = [];
  const parts: string[] = [];
  const main = /^[\w$]+/.exec(clause)?.[0];
  if (main) parts.push(`default: ${main}`);
  for (const part of (/\{([^}]*)\}/.exec(clause)?.[1] ?? '').split(',')) {
    const [name, alias] = part.trim().split(/\s+as\s+/);
    if (name) parts.push(`${name}: ${alias ?? name}`);
  }
  names.push(...parts.map((part) => part.split(': ')[1] ?? ''));
  const space = /\*\s*as\s+([\w$]+)/.exec(clause)?.[1];
  if (space) names.push(space);
  const source = `await import(${JSON.stringify(module)})`;
  const loaded = space ? `${space} = ${source}` : source;
  const text =
    parts.length > 0
      ? `void ({ ${parts.join(', ')} } = ${space ? `(${loaded})` : loaded});`
      : `void (${loaded});`;
  return { text: text + '\n'.repeat(declaration.split('\n').length - 1), names };
}

function nameOf(code: string, node: Node): string {
  return textOf(code, node.getChild('VariableDefinition'));
}

function textOf(code: string, node: Node | null): string {
  return node ? code.slice(node.from, node.to) : '';
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
