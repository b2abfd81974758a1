/** Helium packages. */
import * as z from 'zod/mini';
import { endpoint, jsonObject, maybe, open } from '../define.ts';
import { heliumConfig, heliumEntry } from '../server-objects.ts';
import { roleAdmin } from './roles.ts';
import { names, nothing, text } from './schemas.ts';

const packages = z.array(heliumEntry);

/** REST calls for Helium packages. */
export const packageEndpoints = {
  listPackages: endpoint('GET', '/helium/package', { answer: z.record(z.string(), packages) }),
  getPackage: endpoint('GET', '/helium/package/:name', { answer: packages }),
  listEnabledPackages: endpoint('GET', '/helium/enabledPackage', {
    answer: packages,
    embed: ['results', 'any'],
  }),
  /** A script. A text that starts with `ERROR:` explains why there is none. */
  loadBundle: endpoint('GET', '/helium/bundle/load/:name', {
    content: 'raw',
    query: open({ refresh: maybe(z.boolean()) }),
    embed: ['results', 'any'],
  }),
  listPackageConfigs: endpoint('GET', '/helium/config', { answer: jsonObject }),
  getPackageConfig: endpoint('GET', '/helium/config/:name/:artifact', { answer: heliumConfig }),
  setPackageConfig: endpoint('POST', '/helium/config/:name/:artifact', {
    access: roleAdmin,
    body: jsonObject,
    answer: z.optional(jsonObject),
    audit: 'setting-changed',
  }),
  getSpellConfig: endpoint('GET', '/helium/spell/config/:name', {
    answer: heliumConfig,
    embed: ['edit', 'any'],
  }),
  /**
   * Zeppelin takes the package's name in the path and its artifact in the body; the fork takes the
   * artifact and the type.
   */
  enablePackage: endpoint('POST', '/helium/enable/:name', {
    access: roleAdmin,
    encoding: 'text',
    body: text,
    answer: nothing,
    audit: 'setting-changed',
  }),
  disablePackage: endpoint('POST', '/helium/disable/:name', {
    access: roleAdmin,
    answer: nothing,
    audit: 'setting-changed',
  }),
  getPackageOrder: endpoint('GET', '/helium/order/visualization', {
    answer: z.optional(names),
    embed: ['results', 'any'],
  }),
  setPackageOrder: endpoint('POST', '/helium/order/visualization', {
    access: roleAdmin,
    body: names,
    answer: z.optional(names),
    audit: 'setting-changed',
  }),
  suggestPackages: endpoint('GET', '/helium/suggest/:noteId/:paragraphId', {
    right: 'reader',
    answer: open({ available: maybe(packages) }),
  }),
  /** Answers the id of the application; APP_* messages follow. */
  loadPackage: endpoint('POST', '/helium/load/:noteId/:paragraphId', {
    right: 'runner',
    body: jsonObject,
    answer: text,
  }),
  /** Tiding: removes an application from a paragraph; APP_STATUS_CHANGE follows. */
  unloadPackage: endpoint('DELETE', '/helium/load/:noteId/:paragraphId/:appId', {
    right: 'runner',
    since: 'none',
    answer: nothing,
  }),
};
