/** Schemas of cluster payloads. */
import * as z from 'zod/mini';
import { jsonObject, maybe, open } from '../protocol/define.ts';
import {
  guardedObject,
  id,
  lineageSchema,
  listOf,
  logEntrySchema,
  maybeStrings,
  named,
  namedSchema,
  scheduleSchema,
  span,
  subscriptionSchema,
  time,
} from './shared/shared-schemas.ts';

/** Schema of {@link ClusterRun}. */
export const clusterRunSchema = open({
  run: maybe(
    open({
      clusterRunId: maybe(z.string()),
      ...span,
      ...maybeStrings('state', 'userName'),
    }),
  ),
  stages: listOf(
    open({
      ...maybeStrings('name', 'state'),
      ...span,
    }),
  ),
  logs: listOf(logEntrySchema),
});
/** A run of a cluster, with its stages and its log. */
export type ClusterRun = z.infer<typeof clusterRunSchema>;

const privateKey = guardedObject(
  open({ fingerprint: maybe(z.string()), createdAt: maybe(time), privateKey: maybe(z.string()) }),
);

/** Schemas of the cluster widgets, by widget id. */
export const clusterSchemas = {
  cluster: open({
    cluster: maybe(
      open({
        clusterId: id,
        ...named,
        driverType: maybe(namedSchema),
        workerType: maybe(namedSchema),
        workerCount: maybe(z.number()),
        lastStarted: maybe(time),
        lastStopped: maybe(time),
      }),
    ),
    state: maybe(z.string()),
    health: maybe(open(maybeStrings('driver', 'workers'))),
    ...maybeStrings('hiveThriftServerPath', 'sparkUiAddress'),
    instanceType: maybe(
      open({ name: maybe(z.string()), cores: maybe(z.number()), memoryGb: maybe(z.number()) }),
    ),
    instances: listOf(
      open({
        ...maybeStrings('instanceId', 'role', 'state', 'health'),
      }),
    ),
    schedules: listOf(scheduleSchema),
    subscriptions: listOf(subscriptionSchema),
    usage: maybe(jsonObject),
    privateKey: maybe(privateKey),
    lineage: maybe(lineageSchema),
    history: listOf(clusterRunSchema),
  }),
};
