/** Texts of usage events (specification). */
import type { WidgetData } from './schemas.ts';

/** A permission that somebody used or tried to use. */
export type UsageEvent = WidgetData<'usage-events'>['events'][number];

const is = (event: UsageEvent, type: string): boolean => event.eventType?.toLowerCase() === type;

/** `Failed` if the event says that it was refused, otherwise `Succeeded`. */
export function usageState({ isSuccess }: Pick<UsageEvent, 'isSuccess'>): 'Succeeded' | 'Failed' {
  return isSuccess === undefined || isSuccess ? 'Succeeded' : 'Failed';
}

/**
 * The permission that was used: the role for an event of type GlobalRole, `Read` for Result,
 * otherwise the permission type.
 */
export function usagePermission(event: UsageEvent): string | undefined {
  if (is(event, 'globalrole')) return event.role;
  return is(event, 'result') ? 'Read' : event.permissionType;
}

/**
 * The objects that an event refers to, as qualified names separated by commas: `core.trips`,
 * `flights.daily_load`, `lake`.
 */
export function usageObject({
  dataSourceName,
  schemaName,
  structureName,
  projectName,
  jobName,
}: UsageEvent): string {
  return [[dataSourceName], [schemaName, structureName], [projectName, jobName]]
    .map((parts) => parts.filter(Boolean).join('.'))
    .filter(Boolean)
    .join(', ');
}
