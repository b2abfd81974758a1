/** Payloads of people, rights and what was done. */
import * as z from 'zod/mini';
import { bag, maybe, open } from '../protocol/define.ts';
import { guarded, lineage, list, named, permission, time } from './shapes.ts';

const id = z.union([z.string(), z.number()]);
const organization = open({
  organizationId: maybe(id),
  name: maybe(z.string()),
  description: maybe(z.string()),
  clusterLimits: maybe(bag),
});
const secret = guarded(
  open({
    name: maybe(z.string()),
    description: maybe(z.string()),
    createdAt: maybe(time),
    updatedAt: maybe(time),
  }),
);
const person = open({
  userName: maybe(z.string()),
  firstName: maybe(z.string()),
  lastName: maybe(z.string()),
  userStatus: maybe(z.string()),
  serviceAccount: maybe(z.boolean()),
  roles: list(named),
  permissions: list(permission),
});

/** Of the widgets of this family. */
export const securitySchemas = {
  customer: open({
    customer: maybe(
      open({ customerId: maybe(id), name: maybe(z.string()), createdAt: maybe(time) }),
    ),
    organizations: list(organization),
  }),
  organization: open({
    organization: maybe(organization),
    defaultRepository: maybe(open({ repositoryId: maybe(id), name: maybe(z.string()) })),
    permissions: list(permission),
  }),
  user: open({ user: maybe(person) }),
  role: open({
    role: maybe(named),
    users: list(open({ userName: maybe(z.string()) })),
    permissions: list(permission),
  }),
  permissions: open({ permissions: list(permission) }),
  'activity-history': open({
    objectType: maybe(z.string()),
    objectName: maybe(z.string()),
    activities: list(
      open({
        activityTime: maybe(time),
        activityType: maybe(z.string()),
        userName: maybe(z.string()),
        state: maybe(z.string()),
        description: maybe(z.string()),
        objectType: maybe(z.string()),
        objectName: maybe(z.string()),
      }),
    ),
  }),
  'usage-events': open({
    events: list(
      open({
        eventTime: maybe(time),
        userName: maybe(z.string()),
        eventType: maybe(z.string()),
        objectType: maybe(z.string()),
        role: maybe(z.string()),
        permissionType: maybe(z.string()),
        isSuccess: maybe(z.boolean()),
        dataSourceName: maybe(z.string()),
        schemaName: maybe(z.string()),
        projectName: maybe(z.string()),
        structureName: maybe(z.string()),
        jobName: maybe(z.string()),
      }),
    ),
  }),
  secret: open({ secret: maybe(secret), lineage: maybe(lineage) }),
  'identity-provider': open({
    provider: maybe(
      open({
        name: maybe(z.string()),
        providerType: maybe(z.string()),
        domains: list(z.string()),
        ssoUrl: maybe(z.string()),
        entityId: maybe(z.string()),
        isRequired: maybe(z.boolean()),
      }),
    ),
    organization: maybe(named),
  }),
};
