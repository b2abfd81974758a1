/** Routes of the app, from the specification's table. Add a page as one entry. */
import { type Client, HEAD_REVISION_ID } from '@tiding/client';
import { hasAnyRole, isAnonymous } from '@tiding/client/model';
import { texts } from '@tiding/elements/define';

/** Parameters of a matched route. */
export type RouteParams = Readonly<Record<string, string>>;

/** A route: path with `:name` parameters, required access, and the element it shows. */
export interface Route {
  readonly path: string;
  /** `public` needs no session; a list names the roles of which one is required. */
  readonly access: 'public' | 'session' | readonly string[];
  /** Page title until a better one is known; without it, only the product's name. */
  readonly title?: string;
  /**
   * Entry in the navigation; without it, there is none. `roles` shows it only to users with one of
   * these roles; `feature` hides it if the server lacks that feature.
   */
  readonly navigation?: {
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

/**
 * Whether the user may open a page that needs one of these roles. An anonymous user has no roles,
 * but the rights of an administrator.
 */
export function mayOpen({ session }: Client, roles: readonly string[]): boolean {
  return (
    hasAnyRole(session.roles, roles) ||
    (session.current !== undefined &&
      isAnonymous(session.current.principal) &&
      roles.includes('global.SuperAdmin'))
  );
}

const notebook = (params: RouteParams, query: URLSearchParams) => {
  // Links to a job's paragraph use `?paragraph=id`, and in one case `paragraph?=id`.
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

/** A page with a single paragraph. */
const singleParagraph = (
  noteId: string | undefined,
  paragraph: string,
  query: URLSearchParams,
) => ({
  tag: 'tiding-paragraph',
  attributes: { note: noteId ?? '', paragraph, look: query.has('asIframe') ? 'embed' : 'focus' },
});

const t = texts.navigation;
/** A page with one element without attributes. */
const page = (tag: string) => () => ({ tag, attributes: {} });
// Zeppelin calls the role with all rights 'admin'.
const superAdmin = ['global.SuperAdmin', 'admin'];

/** All routes; the first match wins. Any other path redirects to `/`. */
export const routes: readonly Route[] = [
  {
    path: '/',
    access: 'public',
    navigation: { group: 'main', label: () => texts.app.home },
    show: page('tiding-home'),
  },
  {
    path: '/jobmanager',
    access: 'session',
    navigation: { group: 'main', label: () => t.jobs },
    show: page('tiding-job-manager'),
  },
  {
    path: '/clusters',
    access: 'session',
    navigation: { group: 'main', label: () => t.clusters },
    show: page('tiding-clusters'),
  },
  {
    path: '/interpreter',
    access: superAdmin,
    navigation: { group: 'workspace', label: () => t.interpreters },
    show: page('tiding-interpreters'),
  },
  {
    path: '/connections',
    access: 'session',
    navigation: { group: 'workspace', label: () => t.connections, feature: 'connections' },
    show: page('tiding-connections'),
  },
  {
    path: '/people',
    access: superAdmin,
    navigation: { group: 'workspace', label: () => t.people, feature: 'people' },
    show: page('tiding-people'),
  },
  {
    path: '/credential',
    access: superAdmin,
    navigation: { group: 'workspace', label: () => t.credentials },
    show: page('tiding-credentials'),
  },
  {
    path: '/helium',
    access: superAdmin,
    navigation: { group: 'workspace', label: () => t.packages },
    show: page('tiding-packages'),
  },
  {
    path: '/revision-control',
    access: ['magpie.OrganizationAdmin', ...superAdmin],
    navigation: { group: 'workspace', label: () => t.revisionControl, feature: 'revisionControl' },
    show: page('tiding-revision-control'),
  },
  {
    path: '/configuration',
    access: superAdmin,
    navigation: { group: 'workspace', label: () => t.configuration },
    show: page('tiding-configuration'),
  },
  {
    path: '/account',
    access: 'session',
    navigation: {
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
  {
    path: '/object/:widget/:name',
    access: 'session',
    show: ({ widget = '', name = '' }) => ({
      tag: 'tiding-widget',
      attributes: { widget, object: name },
    }),
  },
  { path: '/notebook/:noteId', access: 'session', show: notebook },
  {
    path: '/notebook/:noteId/revision/:revisionId',
    access: 'session',
    // Head is the current note.
    show: (params, query) => {
      const { tag, attributes } = notebook(params, query);
      const revision = params['revisionId'] ?? HEAD_REVISION_ID;
      return {
        tag,
        attributes: revision === HEAD_REVISION_ID ? attributes : { ...attributes, revision },
      };
    },
  },
  {
    path: '/notebook/:noteId/paragraph/:paragraphId',
    access: 'session',
    show: (params, query) => singleParagraph(params['noteId'], params['paragraphId'] ?? '', query),
  },
  {
    path: '/notebook/:noteId/paragraph',
    access: 'session',
    show: (params, query) => {
      const id = query.get('') ?? query.get('paragraph') ?? '';
      return id === '' ? notebook(params, query) : singleParagraph(params['noteId'], id, query);
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
