/** Payload of a cluster. */
import * as z from 'zod/mini';
import { bag, maybe, open } from '../protocol/define.ts';
import { guarded, lineage, list, logEntry, named, schedule, subscription, time } from './shapes.ts';

/** A run of a cluster with its stages and its log, as it travels. */
export const clusterRun = open({
  run: maybe(
    open({
      clusterRunId: maybe(z.string()),
      startTime: maybe(time),
      endTime: maybe(time),
      state: maybe(z.string()),
      userName: maybe(z.string()),
    }),
  ),
  stages: list(
    open({
      name: maybe(z.string()),
      state: maybe(z.string()),
      startTime: maybe(time),
      endTime: maybe(time),
    }),
  ),
  logs: list(logEntry),
});
/** A run of a cluster with its stages and its log. */
export type ClusterRun = z.infer<typeof clusterRun>;

const privateKey = guarded(
  open({ fingerprint: maybe(z.string()), createdAt: maybe(time), privateKey: maybe(z.string()) }),
);

/** Of the widgets of this family. */
export const clusterSchemas = {
  cluster: open({
    cluster: maybe(
      open({
        clusterId: maybe(z.union([z.string(), z.number()])),
        name: maybe(z.string()),
        description: maybe(z.string()),
        driverType: maybe(named),
        workerType: maybe(named),
        workerCount: maybe(z.number()),
        lastStarted: maybe(time),
        lastStopped: maybe(time),
      }),
    ),
    state: maybe(z.string()),
    health: maybe(open({ driver: maybe(z.string()), workers: maybe(z.string()) })),
    hiveThriftServerPath: maybe(z.string()),
    sparkUiAddress: maybe(z.string()),
    instanceType: maybe(
      open({ name: maybe(z.string()), cores: maybe(z.number()), memoryGb: maybe(z.number()) }),
    ),
    instances: list(
      open({
        instanceId: maybe(z.string()),
        role: maybe(z.string()),
        state: maybe(z.string()),
        health: maybe(z.string()),
      }),
    ),
    schedules: list(schedule),
    subscriptions: list(subscription),
    usage: maybe(bag),
    privateKey: maybe(privateKey),
    lineage: maybe(lineage),
    history: list(clusterRun),
  }),
};
