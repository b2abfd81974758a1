/** Checks schedules and subscriptions of jobs and clusters before they are added. */
import { isAddress } from '../../../auth/mail.ts';
import type { ObjectDefinition } from '../../catalogue/definitions.ts';
import { type Item, isSameName, type Permission } from '../../catalogue/state.ts';
import { MetadataError, wrongName } from '../../contract.ts';
import { subscribable } from '../../jobs/subscriptions.ts';
import type { Ref } from '../../language/statements.ts';
import type { StatementContext } from '../context.ts';
import { resolveObject } from '../resolve-and-record.ts';
import { needUser } from '../security/users.ts';

/** Warnings for a new subscription. Throws if it could never notify anybody. */
export async function subscriptionWarnings(
  context: StatementContext,
  holder: Item,
  { eventTypes, recipients }: Omit<ObjectDefinition<'subscription'>, 'name'>,
): Promise<string> {
  if (holder.type === 'cluster')
    throw new MetadataError(
      'Notifications about clusters are not available on this server: its only engine never ' +
        'starts or stops while the server runs.',
    );
  const unknown = eventTypes.find((type) => !subscribable.some((known) => isSameName(known, type)));
  if (unknown !== undefined)
    throw new MetadataError(
      `Notifications about ${unknown} are not available on this server. ` +
        `"eventTypes" can be ${subscribable.join(', ')}.`,
      wrongName('eventTypes', unknown),
    );
  if (recipients.length > 50) throw new MetadataError('A subscription has at most 50 recipients.');
  const people = await Promise.all(
    recipients.map(async (name) => ({ name, person: await context.people.find(name) })),
  );
  const nobody = people.find(({ name, person }) => !person && !isAddress(name));
  if (nobody)
    throw new MetadataError(
      `${nobody.name} is neither a user nor an email address.`,
      wrongName('recipients', nobody.name),
    );
  const silent = people.filter(({ name }) => !isAddress(name)).map(({ name }) => name);
  return [
    ...(eventTypes.length === 0 ? ['It has no "eventTypes", so it never notifies anybody.'] : []),
    ...(recipients.length === 0 ? ['It has no "recipients", so nobody is notified.'] : []),
    ...(silent.length > 0
      ? [`No mail can be sent to ${silent.join(', ')}: the user name is not an email address.`]
      : []),
    ...(context.subscriptions.sendsMail
      ? []
      : [
          'This server has no mail server (TIDING_SMTP_URL), so no mail is sent. ' +
            '"show subscriptions" lists the events.',
        ]),
  ]
    .map((sentence) => ` ${sentence}`)
    .join('');
}

export async function checkSchedule(
  context: StatementContext,
  holder: Item,
  schedule: Omit<ObjectDefinition<'schedule'>, 'name'>,
): Promise<void> {
  const { clusterAction, clusterName, userName, startTime, endTime } = schedule;
  if (
    clusterName !== undefined &&
    !(
      holder.type === 'job' &&
      context.catalogue.child(context.catalogue.organization.id, 'cluster', clusterName)
    )
  ) {
    throw new MetadataError(
      holder.type === 'job'
        ? `Cluster ${clusterName} is not available on this server: ` +
            'its only engine is cluster local.'
        : '"clusterName" applies only to the schedule of a job.',
      { member: ['clusterName'] },
    );
  }
  if (clusterAction === 'Stop')
    throw new MetadataError(
      'Stopping cluster local is not available on this server, because its engine is part of ' +
        'the server. Use "Restart" to end all sessions.',
    );
  if (startTime !== undefined && endTime !== undefined && startTime >= endTime)
    throw new MetadataError('"endTime" of the schedule is before its "startTime".');
  if (userName !== undefined && userName !== context.who.userName) {
    context.catalogue.requireAdmin(context.who, 'create schedules that run as another user');
    await needUser(context, userName);
  }
  if (holder.type === 'job') {
    if (clusterAction !== undefined)
      throw new MetadataError('"clusterAction" applies only to the schedule of a cluster.');
    context.catalogue.requirePermission(holder, context.who, 'Execute');
    return;
  }
  if (clusterAction === undefined)
    throw new MetadataError(
      'The schedule of a cluster needs "clusterAction": Start, Stop or Restart.',
    );
  const [second = '', minute = '', hour = ''] = schedule.expression.trim().split(/\s+/);
  if (![second, minute, hour].every((part) => /^[0-5]?\d$/.test(part)))
    throw new MetadataError(
      'Seconds, minutes and hours of the schedule of a cluster must be plain numbers, ' +
        'so that it runs at most once per hour.',
    );
}

/** Resolves a schedule of a job or cluster. */
export function scheduleOf(
  context: StatementContext,
  name: string,
  of: Ref,
  permission: Permission,
): Item {
  const { catalogue, session, who } = context;
  const type = (['job', 'cluster'] as const).find((each) => {
    const item = catalogue.find({ type: each, ref: of }, session.scope);
    return item && catalogue.visible([item], who).length > 0;
  });
  if (!type)
    throw new MetadataError(
      `There is no job or cluster ${of.join('.')}, or you may not use it. Qualify a job of ` +
        'another project with the name of that project.',
      wrongName('job or cluster', ...of),
    );
  const holder = resolveObject(context, type, of, permission);
  const found = catalogue.child(holder.id, 'schedule', name);
  if (!found)
    throw new MetadataError(
      `There is no schedule ${name} in ${holder.type} ${catalogue.nameOf(holder)}.`,
      wrongName('schedule', name),
    );
  return found;
}
