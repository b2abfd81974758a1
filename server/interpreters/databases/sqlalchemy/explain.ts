/** Explains errors of SQLAlchemy, its drivers and their databases. */
import { lastPipError, PythonProblem } from '../../python/run-tool.ts';
import type { DatabaseProblem, ProblemContext } from '../driver.ts';
import { codeUnits, loginAdvice } from '../explain-connection.ts';
import { FilePathProblem } from '../files/file-path.ts';
import { WriteRefused } from './connection.ts';
import { packageOfDialect, packageOfModule } from './packages.ts';
import { ProcessEnded, type SessionError, SessionFailure } from './process.ts';
import { dialectOf } from './url.ts';

/** Shorter passwords are part of many words. */
const MIN_MASKED = 3;
const MAX_LINES = 12;

/** Messages about a login that is not accepted. */
const login =
  /password|authenticat|access denied|login failed|incorrect username|unauthori[sz]ed|\b401\b/i;
/** Messages about a server that can't be reached. */
const unreachable = new RegExp(
  "could not connect|connection refused|can't connect|name or service not known|timed? ?out|" +
    'no route to host|failed to resolve|unreachable|actively refused',
  'i',
);

/** Returns a text without the password, which some drivers quote. */
function masked(text: string, password: string | undefined): string {
  if (password === undefined || password.length < MIN_MASKED) return text;
  return text
    .replaceAll(password, '********')
    .replaceAll(encodeURIComponent(password), '********')
    .replaceAll(JSON.stringify(password).slice(1, -1), '********');
}

/** Explains an error while connecting, or that of a statement. */
export function explain(error: unknown, context: ProblemContext, statement = ''): DatabaseProblem {
  const problem = explained(error, context, statement);
  const hide = (text: string) => masked(text, context.target.password);
  const { details = [], message } = problem;
  return { ...problem, message: hide(message), details: details.map(hide) };
}

function explained(error: unknown, context: ProblemContext, statement: string): DatabaseProblem {
  const { setting } = context;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof FilePathProblem) return { message, advice: error.advice };
  if (error instanceof PythonProblem) return installProblem(message, context);
  if (error instanceof WriteRefused)
    return {
      message: 'The statement would write, or it is not known to read only.',
      advice: `The connection ${setting} only reads. Use SELECT.`,
    };
  if (error instanceof ProcessEnded)
    return {
      message: `The process of the connection has ended: ${message}.`,
      advice: 'Run the paragraph again, which connects again. Select less if it needed memory.',
      cause: 'lost',
    };
  if (error instanceof SessionFailure)
    return error.error.kind === undefined
      ? databaseProblem(error.error, context, statement)
      : notConnected(error.error, context);
  return { message };
}

/** Says why an installer failed. */
function installProblem(message: string, { setting }: ProblemContext): DatabaseProblem {
  const cause = lastPipError(message);
  return {
    message:
      cause === undefined ? message : `The packages of ${setting} can't be installed: ${cause}`,
    advice:
      'Correct the packages of the connection. The server gets them from PyPI, or from the index ' +
      'in PIP_INDEX_URL and UV_INDEX_URL.',
  };
}

/** Explains why SQLAlchemy can't use a URL. */
function notConnected(
  { kind, message, name = '' }: SessionError,
  { setting }: ProblemContext,
): DatabaseProblem {
  const dialect = dialectOf({ drivername: name });
  if (kind === 'dialect') {
    const known = packageOfDialect(dialect);
    return {
      message: `SQLAlchemy has no dialect ${name}.`,
      advice: known
        ? `Add the package ${known} to the packages of the connection ${setting}.`
        : `Correct the URL of the connection ${setting}, or add the package with this dialect.`,
    };
  }
  if (kind === 'driver') {
    // The library of psycopg is part of another package.
    const isWrapper = /pq wrapper/.test(message);
    const module = isWrapper ? 'psycopg' : name;
    const known = packageOfModule(module);
    return {
      message:
        module === '' || isWrapper
          ? `The driver can't be loaded: ${message.split('\n')[0]}.`
          : `The driver ${module} is not installed.`,
      advice:
        module === ''
          ? `Install what it needs on the server, or choose another driver for ${setting}.`
          : `Add the package ${known} to the packages of the connection ${setting}.`,
    };
  }
  if (kind === 'async')
    return {
      message: `${name} is an asynchronous driver.`,
      advice: `Choose another driver, such as postgresql+psycopg or mysql+pymysql.`,
    };
  return {
    message: `${name} opens files, which are not checked by the server.`,
    advice: 'Only files of sqlite:////… and duckdb:////… can be opened.',
  };
}

function databaseProblem(
  error: SessionError,
  context: ProblemContext,
  statement: string,
): DatabaseProblem {
  const { position = -1 } = error;
  const lines = error.message.trim().split('\n').slice(0, MAX_LINES);
  const [first = ''] = lines;
  const text = error.code && !first.includes(error.code) ? `${first} (${error.code})` : first;
  const isUnread = unreachable.test(error.message);
  const advice = statement
    ? undefined
    : !isUnread && login.test(error.message)
      ? loginAdvice(context)
      : isUnread
        ? `Check that the database runs, and the URL of the connection ${context.setting}.`
        : undefined;
  return {
    message: text,
    details: [...lines.slice(1).filter((line) => line.trim() !== ''), ...(error.details ?? [])],
    position: position < 0 || statement === '' ? undefined : codeUnits(statement, position),
    advice: error.lost ? 'Run the paragraph again to reconnect.' : advice,
    cause: error.lost ? 'lost' : undefined,
  };
}
