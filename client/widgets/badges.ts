/**
 * Badge colours of states, as in the specification. Unknown states have the default colour. Case is
 * ignored.
 */

/** Colour of a badge. */
export type BadgeColour = 'success' | 'danger' | 'warning' | 'info' | 'default';

const of = (
  table: Readonly<Record<string, BadgeColour>>,
): ((word: string | undefined) => BadgeColour) => {
  const known = new Map(Object.entries(table).map(([word, badge]) => [word.toLowerCase(), badge]));
  return (word) => known.get(word?.toLowerCase() ?? '') ?? 'default';
};

/** Badge of an action, run, cluster or stage, by its state. */
export const stateBadge = of({
  Succeeded: 'success',
  Running: 'success',
  Finished: 'success',
  Failed: 'danger',
  Preparing: 'info',
  InProgress: 'info',
  Provisioning: 'info',
  Bootstrapping: 'info',
  Stopping: 'info',
});
/** Badge of a cluster's driver or workers, by their health. */
export const healthBadge = of({ Healthy: 'success', Degraded: 'warning', Unhealthy: 'danger' });

const jobEvents = of({
  JobFinish: 'success',
  TaskFinish: 'success',
  JobFailed: 'danger',
  TaskFailed: 'danger',
  MetadataError: 'danger',
  ExecutionError: 'danger',
  JobStart: 'info',
  TaskStart: 'info',
});
const quiet = new Set(['stagestarted', 'instancebootstrappingstarted']);
/**
 * Badge of a log entry, by its event type. Event types of clusters are recognised by their ending.
 */
export function logBadge(eventType: string | undefined): BadgeColour {
  const job = jobEvents(eventType);
  if (job !== 'default') return job;
  const type = eventType?.toLowerCase() ?? '';
  if (type.endsWith('failed')) return 'danger';
  if (quiet.has(type)) return 'default';
  return /(finished|started|stopped)$/.test(type) ? 'success' : 'default';
}

/**
 * Badge of a relationship, by its score from 0 to 1. Above 0.8 is `success`, above 0.65 `warning`,
 * otherwise `danger`.
 */
export const scoreBadge = (score: number | undefined): BadgeColour =>
  (score ?? 0) > 0.8 ? 'success' : (score ?? 0) > 0.65 ? 'warning' : 'danger';
