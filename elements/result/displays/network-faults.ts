import { networkText as words } from '../../text/network.ts';
import { formatInteger } from '../numbers.ts';
import { jsonFault } from './json/fault.ts';

/** What is wrong with a network. */
export interface NetworkFaults {
  /** Nothing of it can be drawn; with the place in the text. */
  readonly fatal?: { readonly sentence: string; readonly near?: string };
  /** Parts that are left out, or are not what they seem. */
  readonly parts: readonly string[];
}

/** Faults of the same kind that are named one by one. */
const most = 5;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const asText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);
const missing = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Looks through the text of a network; blank text and one without nodes are right, and empty. */
export function networkFaults(text: string): NetworkFaults {
  if (text.trim() === '') return { parts: [] };
  const fault = jsonFault(text);
  if (fault)
    return {
      fatal: {
        sentence:
          `${words.notJson(formatInteger(fault.line), formatInteger(fault.column))} ${fault.reason}`.trim(),
        near: fault.near,
      },
      parts: [],
    };
  const network: unknown = JSON.parse(text);
  if (!isObject(network))
    return network === null ? { parts: [] } : { fatal: { sentence: words.noObject }, parts: [] };
  const { nodes, edges } = network;
  for (const [name, value] of [
    ['nodes', nodes],
    ['edges', edges],
  ] as const) {
    if (value !== undefined && value !== null && !Array.isArray(value))
      return { fatal: { sentence: words.noList(name) }, parts: [] };
  }
  const kinds = new Map<string, string[]>();
  const add = (kind: string, sentence: string): void => {
    const list = kinds.get(kind);
    if (list) list.push(sentence);
    else kinds.set(kind, [sentence]);
  };
  const places = new Map<string, string>();
  ((nodes ?? []) as unknown[]).forEach((node, at) => {
    const place = `nodes[${at}]`;
    if (!isObject(node)) return add('entity', words.noEntity(place));
    if (missing(node['id'])) return add('id', words.noId(place));
    const id = asText(node['id']);
    const first = places.get(id);
    if (first === undefined) places.set(id, place);
    else add('same', words.sameId(place, id, first));
  });
  ((edges ?? []) as unknown[]).forEach((edge, at) => {
    const place = `edges[${at}]`;
    if (!isObject(edge)) return add('entity', words.noEntity(place));
    for (const end of ['source', 'target'] as const) {
      if (missing(edge[end])) return add('end', words.noEnd(place, end));
      if (!places.has(asText(edge[end])))
        return add('unknown', words.unknownEnd(place, end, asText(edge[end])));
    }
  });
  const parts = [...kinds.values()].flatMap((list) =>
    list.length <= most
      ? list
      : [...list.slice(0, most), words.moreFaults(formatInteger(list.length - most))],
  );
  return { parts };
}
