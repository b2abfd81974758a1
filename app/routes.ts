/** The routes of the app: the specification's table, executable. A page is one row here. */
import { HEAD } from 'tiding/client';
import { texts } from 'tiding/elements/define';

/** Parameters of a matched route. */
export type RouteParams = Readonly<Record<string, string>>;

/** One row: path with `:name` parameters, who may see it, what it shows. */
export interface Route {
  readonly path: string;
  /** `public`: also without a session; a list: holders of one of the roles. */
  readonly access: 'public' | 'session' | readonly string[];
  /** Title before it is known better; the product's name stands alone where absent. */
  readonly title?: string;
  /** Where the navigation leads to it; absent: it does not. `roles`: nor those who hold none of these; `feature`: nor where the server says that it lacks that. */
  readonly place?: {
    readonly group: 'main' | 'workspace' | 'account';
    readonly label: () => string;
    readonly roles?: readonly string[];
    readonly feature?: string;
  };
  /** The element of the page and its attributes. */
  readonly show: (
    params: RouteParams,
    query: URLSearchParams,
  ) => { tag: string; attributes: Record<string, string> };
}

const notebook = (params: RouteParams, query: URLSearchParams) => {
  // The link of a job's paragraph comes as `?paragraph=id`, and once as `paragraph?=id`.
  const target = query.get('paragraph') ?? query.get('');
  const term = query.get('term');
  return {
    tag: 'tiding-notebook',
    attributes: {
      note: params['noteId'] ?? '',
      ...(target ? { paragraph: target } : {}),
      ...(term ? { term } : {}),
    },
  };
};

const one = (noteId: string | undefined, paragraph: string, query: URLSearchParams) => ({
  tag: 'tiding-paragraph',
  attributes: { note: noteId ?? '', paragraph, look: query.has('asIframe') ? 'embed' : 'focus' },
});

const t = texts.navigation;
/** A page that is one element without attributes. */
const page = (tag: string) => () => ({ tag, attributes: {} });
// 'admin' is what a Zeppelin calls the one who may do everything.
const superAdmin = ['global.SuperAdmin', 'admin'];

/** All routes, the first match counts. Any other path goes to `/`. */
export const routes: readonly Route[] = [
  {
    path: '/',
    access: 'public',
    place: { group: 'main', label: () => texts.app.home },
    show: page('tiding-home'),
  },
  {
    path: '/jobmanager',
    access: 'session',
    place: { group: 'main', label: () => t.jobs },
    show: page('tiding-job-manager'),
  },
  {
    path: '/clusters',
    access: 'session',
    place: { group: 'main', label: () => t.clusters },
    show: page('tiding-clusters'),
  },
  {
    path: '/interpreter',
    access: superAdmin,
    place: { group: 'workspace', label: () => t.interpreters },
    show: page('tiding-interpreters'),
  },
  {
    path: '/credential',
    access: superAdmin,
    place: { group: 'workspace', label: () => t.credentials },
    show: page('tiding-credentials'),
  },
  {
    path: '/helium',
    access: superAdmin,
    place: { group: 'workspace', label: () => t.packages },
    show: page('tiding-packages'),
  },
  {
    path: '/revision-control',
    access: ['magpie.OrganizationAdmin', ...superAdmin],
    place: { group: 'workspace', label: () => t.revisionControl, feature: 'revisionControl' },
    show: page('tiding-revision-control'),
  },
  {
    path: '/configuration',
    access: superAdmin,
    place: { group: 'workspace', label: () => t.configuration },
    show: page('tiding-configuration'),
  },
  {
    path: '/account',
    access: 'session',
    place: {
      group: 'account',
      label: () => t.accessTokens,
      roles: ['magpie.AccessToken', 'AccessToken'],
      feature: 'accessTokens',
    },
    show: page('tiding-access-tokens'),
  },
  {
    path: '/search/:searchTerm',
    access: 'session',
    show: (params) => ({ tag: 'tiding-search', attributes: { term: params['searchTerm'] ?? '' } }),
  },
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
  {
    path: '/password-reset/:resetToken',
    access: 'public',
    show: (params) => ({
      tag: 'tiding-password-reset',
      attributes: { 'reset-token': params['resetToken'] ?? '' },
    }),
  },
  {
    path: '/sso/error',
    access: 'public',
    show: () => ({ tag: 'tiding-sso-error', attributes: {} }),
  },
];
