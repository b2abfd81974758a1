/**
 * Recognizes statements that leave the read-only mode of a session. The database enforces the mode;
 * only a login without the right to write can't leave it in other ways.
 */
import { type SqlDialect, tokenize } from '../sql/script.ts';

/** First words of statements whose code may begin a transaction of its own, by dialect. */
const programs: Readonly<Record<SqlDialect, ReadonlySet<string>>> = {
  standard: new Set(['do', 'call']),
  // MariaDB runs control structures without a procedure.
  mysql: new Set([
    ...['call', 'prepare', 'execute', 'if', 'case', 'loop', 'repeat', 'while', 'for', 'xa'],
  ]),
};

const REFUSAL =
  'The connection only reads (readOnly): transactions that write, settings for them, and ' +
  'programs such as DO, CALL and EXECUTE are refused. Ask an administrator for a connection that ' +
  'writes.';

/** Returns a sentence if a statement would leave the read-only mode, or undefined. */
export function readOnlyRefusal(statement: string, dialect: SqlDialect): string | undefined {
  const tokens = tokenize(statement, dialect);
  const [first = '', second = ''] = tokens.map(({ text }) => text.toLowerCase());
  const isProgram =
    programs[dialect].has(first) || (dialect === 'mysql' && (second === ':' || second === 'not'));
  // The whole text: comments may have words between these, and names may be quoted.
  const isTransaction =
    ['begin', 'start', 'set', 'reset'].includes(first) &&
    /\bread\b.*\bwrite\b|read_only|\bu&"/is.test(statement);
  const isSystem = first === 'alter' && second === 'system';
  return isProgram || isTransaction || isSystem || (dialect === 'mysql' && hasHiddenCode(statement))
    ? REFUSAL
    : undefined;
}

/** Whether a statement has comments that MySQL or MariaDB executes. */
function hasHiddenCode(statement: string): boolean {
  let end = 0;
  return [...tokenize(statement, 'mysql'), { start: statement.length, end: 0 }].some((token) => {
    const between = statement.slice(end, token.start);
    end = token.end;
    return /\/\*M?!/i.test(between);
  });
}
