/** Applications of Helium packages on a paragraph. */

import { type Output, outputsOf } from '../../core/outputs.ts';
import { isJsonObject } from '../../model/json-object.ts';
import type { HeliumEntry, Paragraph } from '../../protocol/index.ts';

/** An application on a paragraph. */
export interface ParagraphApplication {
  /** Id as assigned by the server, for example `app_2ABCDEFGH-20261121-070135_35893072name`. */
  readonly id: string;
  /** The application's package. If the server sent no details, `name` is the application's id. */
  readonly pkg: HeliumEntry['pkg'];
  /** LOADING, LOADED, UNLOADING, UNLOADED or ERROR. */
  readonly status: string;
  /** Current outputs. */
  readonly outputs: readonly Output[];
}

/** An application as it is stored with its paragraph. */
export interface StoredApplication {
  readonly id: string;
  readonly pkg?: unknown;
  readonly status?: unknown;
  readonly output?: unknown;
}
type Message = { readonly type: string; readonly data: string };

/** Whether a value is a stored application. */
export const isStoredApplication = (value: unknown): value is StoredApplication =>
  isJsonObject(value) && typeof value['id'] === 'string';
/** Reads the stored outputs of an application. */
export const applicationMessages = (value: unknown): Message[] =>
  (Array.isArray(value) ? value : []).map((each: unknown) =>
    isJsonObject(each)
      ? {
          type: typeof each['type'] === 'string' ? each['type'] : 'TEXT',
          data: typeof each['data'] === 'string' ? each['data'] : '',
        }
      : { type: 'TEXT', data: '' },
  );

const none: readonly ParagraphApplication[] = [];
const read = new WeakMap<object, readonly ParagraphApplication[]>();

/**
 * Returns the applications of a paragraph, except unloaded ones. Returns the same list for the same
 * `apps` object.
 */
export function applicationsOf({ apps }: Pick<Paragraph, 'apps'>): readonly ParagraphApplication[] {
  if (!apps) return none;
  let list = read.get(apps);
  if (!list) {
    list = apps
      .filter(isStoredApplication)
      .filter(({ status }) => status !== 'UNLOADED')
      .map(({ id, pkg, status, output: printed }) => ({
        id,
        pkg:
          isJsonObject(pkg) && typeof pkg['name'] === 'string'
            ? (pkg as HeliumEntry['pkg'])
            : { type: 'APPLICATION', name: id },
        status: typeof status === 'string' ? status : 'LOADING',
        outputs: outputsOf({ code: 'SUCCESS', msg: applicationMessages(printed) }),
      }));
    read.set(apps, list);
  }
  return list;
}
