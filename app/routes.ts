/** The routes of the app: the specification's table, executable. A page is one row here. */
import { HEAD } from 'tiding/client';

/** Parameters of a matched route. */
export type RouteParams = Readonly<Record<string, string>>;

/** One row: path with `:name` parameters, who may see it, what it shows. */
export interface Route {
  readonly path: string;
  /** `public`: also without a session; a list: holders of one of the roles. */
  readonly access: 'public' | 'session' | readonly string[];
  /** Title before it is known better; the product's name stands alone where absent. */
  readonly title?: string;
  /** The element of the page and its attributes. */
  readonly show: (params: RouteParams, query: URLSearchParams) => { tag: string; attributes: Record<string, string> };
}

const notebook = (params: RouteParams, query: URLSearchParams) => {
  // The link of a job's paragraph comes as `?paragraph=id`, and once as `paragraph?=id`.
  const target = query.get('paragraph') ?? query.get('');
  return { tag: 'tiding-notebook', attributes: { note: params['noteId'] ?? '', ...(target ? { paragraph: target } : {}) } };
};

const one = (noteId: string | undefined, paragraph: string, query: URLSearchParams) =>
  ({ tag: 'tiding-paragraph', attributes: { note: noteId ?? '', paragraph, look: query.has('asIframe') ? 'embed' : 'focus' } });

/** All routes, the first match counts. Any other path goes to `/`. */
export const routes: readonly Route[] = [
  { path: '/', access: 'public', show: () => ({ tag: 'tiding-home', attributes: {} }) },
  { path: '/notebook/:noteId', access: 'session', show: notebook },
  {
    path: '/notebook/:noteId/revision/:revisionId',
    access: 'session',
    // Head is the note as it stands.
    show: (params, query) => {
      const { tag, attributes } = notebook(params, query);
      const revision = params['revisionId'] ?? HEAD;
      return { tag, attributes: revision === HEAD ? attributes : { ...attributes, revision } };
    },
  },
  {
    path: '/notebook/:noteId/paragraph/:paragraphId',
    access: 'session',
    show: (params, query) => one(params['noteId'], params['paragraphId'] ?? '', query),
  },
  {
    path: '/notebook/:noteId/paragraph',
    access: 'session',
    show: (params, query) => {
      const id = query.get('') ?? query.get('paragraph') ?? '';
      return id === '' ? notebook(params, query) : one(params['noteId'], id, query);
    },
  },
  { path: '/password-reset/:resetToken', access: 'public', show: (params) => ({ tag: 'tiding-password-reset', attributes: { 'reset-token': params['resetToken'] ?? '' } }) },
  { path: '/sso/error', access: 'public', show: () => ({ tag: 'tiding-sso-error', attributes: {} }) },
];
