/** Schemas of user, permission and activity payloads. */
import * as z from 'zod/mini';
import { jsonObject, maybe, open } from '../protocol/define.ts';
import {
  guardedObject,
  id,
  lineageSchema,
  listOf,
  maybeStrings,
  named,
  namedSchema,
  permissionSchema,
  time,
} from './shared/shared-schemas.ts';

const organization = open({
  organizationId: id,
  ...named,
  defaultRepositoryName: maybe(z.string()),
  clusterLimits: maybe(jsonObject),
});
const secret = guardedObject(
  open({
    ...named,
    createdAt: maybe(time),
    updatedAt: maybe(time),
  }),
);
const person = open({
  ...maybeStrings('userName', 'firstName', 'lastName', 'userStatus'),
  serviceAccount: maybe(z.boolean()),
  roles: listOf(namedSchema),
  permissions: listOf(permissionSchema),
});

/** Schemas of the security widgets, by widget id. */
export const securitySchemas = {
  customer: open({
    customer: maybe(open({ customerId: id, name: maybe(z.string()), createdAt: maybe(time) })),
    organizations: listOf(organization),
  }),
  organization: open({
    organization: maybe(organization),
    defaultRepository: maybe(open({ repositoryId: id, name: maybe(z.string()) })),
    permissions: listOf(permissionSchema),
  }),
  user: open({ user: maybe(person) }),
  role: open({
    role: maybe(namedSchema),
    users: listOf(open({ userName: maybe(z.string()) })),
    permissions: listOf(permissionSchema),
  }),
  permissions: open({ permissions: listOf(permissionSchema) }),
  'activity-history': open({
    ...maybeStrings('objectType', 'objectName'),
    activities: listOf(
      open({
        activityTime: maybe(time),
        ...maybeStrings('activityType', 'userName', 'state', 'description', 'objectType'),
        objectName: maybe(z.string()),
      }),
    ),
  }),
  'usage-events': open({
    events: listOf(
      open({
        eventTime: maybe(time),
        ...maybeStrings('userName', 'eventType', 'objectType', 'role', 'permissionType'),
        isSuccess: maybe(z.boolean()),
        ...maybeStrings('dataSourceName', 'schemaName', 'projectName', 'structureName', 'jobName'),
        objectName: maybe(z.string()),
        // Kind of change. Absent if the object was only used.
        activityType: maybe(z.string()),
        description: maybe(z.string()),
      }),
    ),
  }),
  secret: open({ secret: maybe(secret), lineage: maybe(lineageSchema) }),
  'identity-provider': open({
    provider: maybe(
      open({
        ...maybeStrings('name', 'providerType'),
        domains: listOf(z.string()),
        ...maybeStrings('ssoUrl', 'entityId'),
        isRequired: maybe(z.boolean()),
      }),
    ),
    organization: maybe(namedSchema),
  }),
};
