/** The shape of a tool for agents, and the errors that its caller reads. */
import { type Client, isHttpError, isTidingError } from '@tiding/client';
import type { z } from 'zod';

/** What a program may do, from least to most. Each grant includes those before it. */
export const GRANTS = ['read', 'run', 'edit'] as const;
/** What a program may do. */
export type Grant = (typeof GRANTS)[number];

/** Whether `granted` includes `needed`. */
export const includesGrant = (granted: Grant, needed: Grant): boolean =>
  GRANTS.indexOf(granted) >= GRANTS.indexOf(needed);

/** What a call gets besides its arguments. */
export interface ToolContext {
  readonly client: Client;
  /** Aborted when the caller cancels the call, or is gone. */
  readonly signal: AbortSignal;
  /** Notes what the call is about, for the log. */
  concern(target: { note?: string; paragraph?: string }): void;
  /** Reports progress in percent, if the caller asked for it. */
  progress(percent: number, message: string): void;
  /** Asks a person, if the program was started so. Throws if they decline. */
  confirm(question: string): Promise<void>;
}

interface ToolResult<Data> {
  /** The result for a reader. */
  readonly text: string;
  /** The result for a program. */
  readonly data: Data;
  /** Whether the call did what it should, but that ended in an error, such as a failed run. */
  readonly failed?: boolean;
}

/** A tool for agents. Its name is in snake case. */
export interface Tool<In extends z.ZodObject = z.ZodObject, Out extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly grant: Grant;
  /** Whether it may replace something that exists. */
  readonly destructive?: boolean;
  readonly input: In;
  readonly output: Out;
  call(args: z.output<In>, context: ToolContext): Promise<ToolResult<z.input<Out>>>;
}

/** Type-checks a tool and erases its schemas, so that all tools fit one list. */
export const defineTool = <In extends z.ZodObject, Out extends z.ZodObject>(
  tool: Tool<In, Out>,
): Tool => tool as unknown as Tool;

/** Why a call was refused or failed, in sentences that its caller reads. */
export class ToolError extends Error {
  /** As in the log: `invalid` arguments, `refused` by a rule or a person, or `failed`. */
  readonly outcome: 'invalid' | 'refused' | 'failed';

  constructor(message: string, outcome: ToolError['outcome'] = 'invalid') {
    super(message);
    this.name = 'ToolError';
    this.outcome = outcome;
  }
}

const REFUSED =
  'The signed-in user lacks this right on the note. Ask the owner of the note for it, or start ' +
  "'tiding mcp' with the token of another user.";
const SIGNED_OUT =
  "The token is invalid, disabled or expired. Start 'tiding mcp' again with a valid token.";

const sentence = (text: string) => (/[.!?]$/.test(text.trim()) ? text.trim() : `${text.trim()}.`);

/** Converts any error to one whose message says what happened and what to do next. */
export function toToolError(error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  const message = sentence(error instanceof Error ? error.message : String(error));
  const status = isHttpError(error) ? error.status : undefined;
  if (isTidingError(error, 'forbidden') || status === 403)
    return new ToolError(`${message} ${REFUSED}`, 'refused');
  if (isTidingError(error, 'signed-out') || status === 401 || status === 405)
    return new ToolError(`Not signed in. ${SIGNED_OUT}`, 'refused');
  if (isTidingError(error, 'network') || isTidingError(error, 'unknown-outcome'))
    return new ToolError(
      `${message} Read the note to see what was done, then try again.`,
      'failed',
    );
  if (isTidingError(error, 'protocol')) return new ToolError(message);
  return new ToolError(message, 'failed');
}
