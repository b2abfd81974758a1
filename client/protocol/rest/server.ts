/** Configuration, clusters and revision control of the server. */
import * as z from 'zod/mini';
import { endpoint, jsonObject, maybe, open } from '../define.ts';
import {
  cluster,
  clusterList,
  currentCluster,
  noteStorage,
  revisionControl,
} from '../server-objects.ts';
import { roleAdmin, roleRevisions } from './roles.ts';
import { nothing, text } from './schemas.ts';

/** REST calls for the configuration, clusters and revision control. */
export const serverEndpoints = {
  configurations: endpoint('GET', '/configurations/all', { access: roleAdmin, answer: jsonObject }),
  configurationsByPrefix: endpoint('GET', '/configurations/prefix/:prefix', {
    access: roleAdmin,
    answer: jsonObject,
  }),
  clientConfiguration: endpoint('GET', '/configurations/client', {
    since: '0.13.0',
    answer: open({ wsMaxMessageSize: maybe(z.unknown()) }),
  }),
  listStorages: endpoint('GET', '/notebook-repositories', {
    access: roleAdmin,
    answer: z.array(noteStorage),
  }),
  reloadStorages: endpoint('GET', '/notebook-repositories/reload', {
    access: roleAdmin,
    answer: nothing,
  }),
  updateStorage: endpoint('PUT', '/notebook-repositories', {
    access: roleAdmin,
    body: open({ name: text, settings: jsonObject }),
    answer: noteStorage,
    audit: 'setting-changed',
  }),
  /** The level is DEBUG, ERROR, FATAL, INFO, TRACE or WARN; 406 for any other. */
  setLogLevel: endpoint('PUT', '/log/level/:level', {
    access: roleAdmin,
    answer: nothing,
    audit: 'setting-changed',
  }),
  getLogger: endpoint('GET', '/admin', {
    access: roleAdmin,
    since: '0.9.0',
    query: open({ name: maybe(text) }),
    answer: nothing,
  }),
  setLogger: endpoint('POST', '/admin', {
    access: roleAdmin,
    since: '0.9.0',
    body: open({ name: text, level: text }),
    answer: nothing,
    audit: 'setting-changed',
  }),

  listClusters: endpoint('GET', '/magpie/clusters', { answer: clusterList }),
  /** `{}` unsets the current cluster. 404 for an unknown name, 409 for one that does not run. */
  setCluster: endpoint('POST', '/magpie/clusters/current', {
    body: open({ clusterName: maybe(text) }),
    answer: currentCluster,
    audit: 'setting-changed',
  }),
  /**
   * Tiding: starts an `owned` cluster. It takes up to a minute until its state is Running. 404 for
   * an unknown name, 409 if it cannot be started.
   */
  startCluster: endpoint('POST', '/magpie/clusters/:clusterName/start', {
    access: roleRevisions,
    answer: cluster,
    audit: 'cluster-started',
  }),
  /**
   * Tiding: stops an `owned` cluster and everything that runs on it. Answers when it has stopped;
   * errors as startCluster.
   */
  stopCluster: endpoint('POST', '/magpie/clusters/:clusterName/stop', {
    access: roleRevisions,
    answer: cluster,
    audit: 'cluster-stopped',
  }),
  getRevisionControl: endpoint('GET', '/magpie/revision-control', {
    access: roleRevisions,
    answer: revisionControl,
  }),
  /**
   * `{}` removes the remote. A sync follows, which ends with REPO_SYNC_SUCCESS or REPO_SYNC_ERROR.
   */
  setRevisionControl: endpoint('POST', '/magpie/revision-control', {
    access: roleRevisions,
    body: revisionControl,
    answer: jsonObject,
    audit: 'setting-changed',
  }),
  /**
   * Tiding: synchronises now. The caller receives REPO_SYNC_SUCCESS or REPO_SYNC_ERROR; the
   * configuration is kept in both cases. 409 without a configuration.
   */
  syncRevisions: endpoint('POST', '/magpie/revision-control/sync', {
    access: roleRevisions,
    answer: jsonObject,
  }),
  commandLine: endpoint('GET', '/magpie/cli', { content: 'raw' }),
};
