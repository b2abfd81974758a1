/** Agents for tests: clients of the Model Context Protocol. */
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import type { Client } from '@tiding/client';
import { type CallRecord, createMcpServer } from '../../server/cli/mcp/server.ts';
import type { Grant } from '../../server/cli/mcp/tool.ts';

/** The first start of an engine takes long on a busy machine, in ms. */
const CALL_MS = 300_000;

/** Result of a tool. */
export interface Called {
  readonly text: string;
  readonly data: Record<string, unknown>;
  readonly isError: boolean;
}

export async function callTool(
  agent: McpClient,
  name: string,
  args: Record<string, unknown> = {},
  options: Parameters<McpClient['callTool']>[2] = {},
): Promise<Called> {
  const result = await agent.callTool({ name, arguments: args }, undefined, {
    timeout: CALL_MS,
    ...options,
  });
  const [part] = result.content as { type: string; text: string }[];
  return {
    text: part?.text ?? '',
    data: (result.structuredContent ?? {}) as Record<string, unknown>,
    isError: result.isError === true,
  };
}

/** An agent that is connected to an MCP server in this process. */
interface ConnectedAgent {
  readonly agent: McpClient;
  /** The log of its calls. */
  readonly records: CallRecord[];
  /** Questions to a person so far. */
  readonly questions: string[];
  call(name: string, args?: Record<string, unknown>): Promise<Called>;
  close(): Promise<void>;
}

/** Connects an agent. `answer` is what a person answers; without it nobody can be asked. */
export async function connectAgent(
  client: Client,
  allow: Grant,
  answer?: ElicitResult['action'],
  confirm = answer !== undefined,
): Promise<ConnectedAgent> {
  const records: CallRecord[] = [];
  const questions: string[] = [];
  const { server } = createMcpServer({
    client,
    allow,
    confirm,
    log: (record) => void records.push(record),
  });
  const agent = new McpClient(
    { name: 'test', version: '1.0.0' },
    { capabilities: answer === undefined ? {} : { elicitation: {} } },
  );
  if (answer !== undefined)
    agent.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params.message);
      return { action: answer, ...(answer === 'accept' ? { content: {} } : {}) };
    });
  const [mine, its] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(its), agent.connect(mine)]);
  // With the list, the client checks every result against the schema of its tool.
  await agent.listTools();
  return {
    agent,
    records,
    questions,
    call: (name, args) => callTool(agent, name, args),
    close: () => agent.close(),
  };
}

/** Creates a note with these texts and a unique name in a folder. */
export async function noteForAgents(client: Client, folder: string, texts: readonly string[]) {
  const path = `${folder}/${(made += 1)} note`;
  const paragraphs = texts.map((text) => ({ text }));
  const id = await client.call('createNote', { body: { name: path, paragraphs } });
  const note = await client.notes.get(id);
  return { id, path, ids: note.paragraphs!.map((each) => each.id) };
}
let made = 0;
