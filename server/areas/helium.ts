/** Packages: visualizations, spells and applications. */
import { paragraphOf } from '@tiding/client/notebook';
import { administers } from '../auth/permissions.ts';
import { noSuchNote, Refusal } from '../base/errors.ts';
import { loadApplication } from '../helium/application.ts';
import type { RestHandlers } from './context.ts';
import { withRight } from './notes/notes.ts';

/** A bundle is fetched by pages and must never be opened as one. */
const bundleHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
};

const idOf = (app: unknown) => (app as { id?: unknown } | null)?.id;

export const heliumRest = {
  listPackages: (_, { packages }) => packages.all(),
  getPackage: ({ params, person }, { packages }) =>
    packages.named(params['name'] ?? '', { ask: administers(person) }),
  listEnabledPackages: (_, { packages }) => packages.enabled(),
  loadBundle: async ({ params, query, person }, { packages }) => {
    const found = await packages.enabledNamed(params['name'] ?? '');
    if (!found) return new Response(null, { headers: bundleHeaders });
    try {
      return new Response(
        await packages.bundle(found, {
          refresh: query.get('refresh') === 'true' && administers(person),
        }),
        { headers: { ...bundleHeaders, 'Content-Type': 'text/javascript; charset=utf-8' } },
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // Zeppelin's way to report a failed bundle: neither a script nor an HTTP error.
      return new Response(`ERROR: ${error.message}`, {
        headers: { ...bundleHeaders, 'Content-Type': 'text/plain; charset=utf-8' },
      });
    }
  },
  listPackageConfigs: (_, { packages }) => packages.configs(),
  getPackageConfig: ({ params }, { packages }) =>
    packages.config(params['name'] ?? '', params['artifact'] ?? ''),
  setPackageConfig: ({ params, body }, { packages }) =>
    packages.setConfig(params['name'] ?? '', params['artifact'] ?? '', body),
  getSpellConfig: async ({ params }, { packages }) => {
    const name = params['name'] ?? '';
    const found = await packages.enabledNamed(name);
    if (!found) throw new Refusal(400, `Failed to find enabled package for ${name}`);
    return packages.config(name, found.pkg.artifact);
  },
  enablePackage: ({ params, body }, { packages }) => packages.enable(params['name'] ?? '', body),
  disablePackage: ({ params }, { packages }) => packages.disable(params['name'] ?? ''),
  getPackageOrder: (_, { packages }) => packages.order(),
  setPackageOrder: ({ body }, { packages }) => packages.setOrder(body),
  suggestPackages: async ({ params, person }, context) => {
    paragraphOf(withRight(params, person, 'reader', context), params['paragraphId'] ?? '');
    return {
      available: (await context.packages.enabled()).filter(({ pkg }) => pkg.type === 'APPLICATION'),
    };
  },
  loadPackage: async ({ params, body, person }, context) => {
    const { packages, editor, hub, notes, options, results } = context;
    const note = withRight(params, person, 'runner', context);
    const paragraph = paragraphOf(note, params['paragraphId'] ?? '');
    const { name } = body;
    const found = typeof name === 'string' ? await packages.enabledNamed(name) : undefined;
    if (found?.pkg.type !== 'APPLICATION')
      throw new Refusal(
        404,
        `There is no enabled application ${typeof name === 'string' ? name : ''}.`,
      );
    const { confPersisted = {} } = await packages.config(found.pkg.name, found.pkg.artifact);
    const application = await loadApplication(
      found,
      note,
      paragraph,
      confPersisted,
      options.maxOutputBytes,
      (one, max) => packages.bundle(one, { max }),
      (index) => results.find(note.id, paragraph.id, index, paragraph.results!.msg![index]!),
    );
    // The note was removed while its bundle was being read.
    if (notes.find(note.id) !== note) throw noSuchNote(note.id);
    const { id: appId, pkg, status, output } = application;
    const others = (paragraph.apps ?? []).filter((app) => idOf(app) !== appId);
    await editor.change(note, [paragraph], () => (paragraph.apps = [...others, application]));
    const where = { noteId: note.id, paragraphId: paragraph.id, appId };
    hub.broadcastToNote(note.id, 'APP_LOAD', { ...where, pkg });
    hub.broadcastToNote(note.id, 'APP_STATUS_CHANGE', { ...where, status: 'LOADING' });
    for (const [index, { type, data }] of output.entries())
      hub.broadcastToNote(note.id, 'APP_UPDATE_OUTPUT', { ...where, index, type, data });
    hub.broadcastToNote(note.id, 'APP_STATUS_CHANGE', { ...where, status });
    return appId;
  },
  unloadPackage: async ({ params, person }, context) => {
    const { editor, hub } = context;
    const note = withRight(params, person, 'runner', context);
    const paragraph = paragraphOf(note, params['paragraphId'] ?? '');
    const appId = params['appId'] ?? '';
    if (!(paragraph.apps ?? []).some((app) => idOf(app) === appId))
      throw new Refusal(404, `There is no application ${appId} on this paragraph.`);
    await editor.change(
      note,
      [paragraph],
      () => (paragraph.apps = (paragraph.apps ?? []).filter((app) => idOf(app) !== appId)),
    );
    for (const status of ['UNLOADING', 'UNLOADED'])
      hub.broadcastToNote(note.id, 'APP_STATUS_CHANGE', {
        noteId: note.id,
        paragraphId: paragraph.id,
        appId,
        status,
      });
  },
} satisfies Partial<RestHandlers>;
