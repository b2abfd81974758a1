/** Schemas of user, permission and activity payloads. */
import * as z from 'zod/mini';
import { jsonObject, maybe, open } from '../protocol/define.ts';
import {
  guardedObject,
  id,
  lineageSchema,
  listOf,
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
  userName: maybe(z.string()),
  firstName: maybe(z.string()),
  lastName: maybe(z.string()),
  userStatus: maybe(z.string()),
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
    objectType: maybe(z.string()),
    objectName: maybe(z.string()),
    activities: listOf(
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
    events: listOf(
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
        name: maybe(z.string()),
        providerType: maybe(z.string()),
        domains: listOf(z.string()),
        ssoUrl: maybe(z.string()),
        entityId: maybe(z.string()),
        isRequired: maybe(z.boolean()),
      }),
    ),
    organization: maybe(namedSchema),
  }),
};
