/** Paragraphs of Zeppelin 0.5 and 0.6, and what files of other programs have instead of texts. */
import { isJsonObject, jsonObjectOf } from '../model/json-object.ts';
import type { JsonObject } from '../protocol/index.ts';

const textOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(String).join('');
  return typeof value === 'number' ? String(value) : value;
};

/** Before 0.7, a paragraph had a single output, `result`. */
function resultsOf({ result, results }: JsonObject): unknown {
  if (Array.isArray(results)) return { code: 'SUCCESS', msg: results };
  if (results !== undefined && results !== null) return results;
  if (typeof result === 'string') return { code: 'SUCCESS', msg: [{ type: 'TEXT', data: result }] };
  const { code, type = 'TEXT', msg } = jsonObjectOf(result);
  return msg === undefined || msg === null ? undefined : { code, msg: [{ type, data: msg }] };
}

/** Before 0.7, the chart of the only output was in `config.graph`. */
function configOf(config: unknown): unknown {
  if (!isJsonObject(config) || !isJsonObject(config['graph'])) return config;
  const { graph, ...rest } = config;
  if (rest['results'] !== undefined) return rest;
  const { scatter, ...chart } = graph as JsonObject;
  const setting = isJsonObject(scatter) ? { setting: { scatterChart: scatter } } : {};
  return { ...rest, results: { 0: { graph: { ...setting, ...chart } } } };
}

/** Returns a paragraph of any version in the current form. */
export const currentParagraph = ({ result, ...raw }: JsonObject): JsonObject => ({
  ...raw,
  ...('text' in raw ? { text: textOf(raw['text']) } : {}),
  ...('config' in raw ? { config: configOf(raw['config']) } : {}),
  results: resultsOf({ result, results: raw['results'] }),
});
