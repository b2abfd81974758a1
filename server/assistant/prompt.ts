/** What is sent to a model: instructions, and what the request is about. */
import type { AssistantRequest } from '@tiding/client/protocol';
import type { TableSchema } from '../interpreters/contract.ts';
import type { ChatMessage } from './model.ts';

/** What a model is told about a note. */
export interface NoteFacts {
  /** The language of the code: a magic without `%`, and what it is, such as DuckDB. */
  readonly magic: string;
  readonly language: string;
  readonly tables: readonly TableSchema[];
  /** One line for each variable. */
  readonly variables: readonly string[];
  /** Texts of the paragraphs before the one concerned, in their order. */
  readonly before: readonly string[];
  /** Text of the paragraph concerned, and its error. */
  readonly code: string;
  readonly error: string;
}

/** Limits in characters, and of tables and columns. Small models forget what is too long. */
const MAX_BEFORE = 8_000;
const MAX_CODE = 12_000;
const MAX_ERROR = 4_000;
const MAX_TABLES = 60;
const MAX_COLUMNS = 80;
const MAX_VARIABLES = 60;

const ONLY_CODE =
  'Answer with the complete code of one paragraph and nothing else: no explanation, no Markdown ' +
  'fences, no % line. Use only tables, columns and variables that exist.';
const PLAIN = 'Answer in plain text without Markdown, in at most 120 words, in the language of ';

/** What the model shall do, by task. */
const instructions: Readonly<Record<AssistantRequest['task'], string>> = {
  write: `You write code in a data notebook. ${ONLY_CODE}`,
  fix: `You correct code in a data notebook. Change only what is wrong. ${ONLY_CODE}`,
  explain:
    'You explain an error in a data notebook: its cause, and how to mend it. ' +
    `${PLAIN}the code's comments, else in English.`,
  describe:
    'You describe a chart: what it shows, its main trend, and what is remarkable. Use only the ' +
    `given numbers. ${PLAIN}its title.`,
};

const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max)}\n… (cut)`;

/** Returns the last texts that fit, in their order. */
function lastThatFit(texts: readonly string[], max: number): string[] {
  let left = max;
  const kept: string[] = [];
  for (const text of texts.toReversed()) {
    left -= text.length;
    if (left < 0) break;
    kept.unshift(text);
  }
  return kept;
}

const tableLine = ({ reference, columns }: TableSchema): string => {
  const names = columns.slice(0, MAX_COLUMNS).map(({ name, type }) => `${name} ${type}`);
  return `${reference} (${names.join(', ')}${columns.length > MAX_COLUMNS ? ', …' : ''})`;
};

const part = (heading: string, lines: readonly string[], separator = '\n'): string[] =>
  lines.every((line) => line.trim() === '') ? [] : [`${heading}:\n${lines.join(separator)}`];

/** Returns the messages of a request. */
export function messagesFor(
  { task, question = '', chart = '' }: AssistantRequest,
  facts: NoteFacts,
): ChatMessage[] {
  const { magic, language, tables, variables, before, code, error } = facts;
  const about =
    task === 'describe'
      ? part('Chart', [chart])
      : [
          `Language: ${language} (%${magic})`,
          ...part('Tables', tables.slice(0, MAX_TABLES).map(tableLine)),
          ...part('Variables', variables.slice(0, MAX_VARIABLES)),
          ...part('Earlier paragraphs', lastThatFit(before, MAX_BEFORE), '\n\n'),
          ...(task === 'write' ? [] : part('Code', [cut(code, MAX_CODE)])),
          ...(task === 'write' ? [] : part('Error', [cut(error, MAX_ERROR)])),
        ];
  return [
    { role: 'system', content: instructions[task] },
    { role: 'user', content: [...about, ...part('Question', [question])].join('\n\n') },
  ];
}

/** Returns the code of an answer, without the fences that models like to add. */
export function codeOf(answer: string): string {
  const fenced = /^[ \t]*```[^\n]*\n([\s\S]*?)\n[ \t]*```[ \t]*$/m.exec(answer);
  return (fenced?.[1] ?? answer).replace(/^\s*\n|\s+$/g, '');
}
