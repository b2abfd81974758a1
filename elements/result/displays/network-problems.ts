import { isJsonObject } from '@tiding/client/model';
import { formatInteger } from '../parts/numbers.ts';
import { networkTexts as uiText } from '../visualizations/network/texts.ts';
import { findJsonError } from './json/json-error.ts';

export interface NetworkProblems {
  /** A problem that prevents drawing, with an excerpt of the text. */
  readonly fatal?: { readonly sentence: string; readonly near?: string };
  /** Problems in single nodes or edges, which are dropped or shown differently. */
  readonly parts: readonly string[];
}

/** Problems of one kind listed individually; the rest is only counted. */
const maxListed = 5;

const asText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);
const missing = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Validates the text of a network. Empty text and a network without nodes are valid. */
export function findNetworkProblems(text: string): NetworkProblems {
  if (text.trim() === '') return { parts: [] };
  const fault = findJsonError(text);
  if (fault)
    return {
      fatal: {
        sentence: (
          `${uiText.notJson(formatInteger(fault.line), formatInteger(fault.column))} ` +
          `${fault.reason}`
        ).trim(),
        near: fault.excerpt,
      },
      parts: [],
    };
  const network: unknown = JSON.parse(text);
  if (!isJsonObject(network))
    return network === null ? { parts: [] } : { fatal: { sentence: uiText.noObject }, parts: [] };
  const { nodes, edges } = network;
  for (const name of ['nodes', 'edges'] as const)
    if (!Array.isArray(network[name] ?? []))
      return { fatal: { sentence: uiText.noList(name) }, parts: [] };
  const kinds = new Map<string, string[]>();
  const add = (kind: string, sentence: string): void => {
    const list = kinds.get(kind);
    if (list) list.push(sentence);
    else kinds.set(kind, [sentence]);
  };
  const places = new Map<string, string>();
  ((nodes ?? []) as unknown[]).forEach((node, at) => {
    const place = `nodes[${at}]`;
    if (!isJsonObject(node)) return add('entity', uiText.noEntity(place));
    if (missing(node['id'])) return add('id', uiText.noId(place));
    const id = asText(node['id']);
    const first = places.get(id);
    if (first === undefined) places.set(id, place);
    else add('same', uiText.sameId(place, id, first));
  });
  ((edges ?? []) as unknown[]).forEach((edge, at) => {
    const place = `edges[${at}]`;
    if (!isJsonObject(edge)) return add('entity', uiText.noEntity(place));
    for (const end of ['source', 'target'] as const) {
      if (missing(edge[end])) return add('end', uiText.noEnd(place, end));
      if (!places.has(asText(edge[end])))
        return add('unknown', uiText.unknownEnd(place, end, asText(edge[end])));
    }
  });
  const parts = [...kinds.values()].flatMap((list) =>
    list.length <= maxListed
      ? list
      : [...list.slice(0, maxListed), uiText.moreFaults(formatInteger(list.length - maxListed))],
  );
  return { parts };
}
