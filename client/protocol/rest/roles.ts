/** Roles that REST calls need: the caller must have at least one of a list. */

/** Users who may have access tokens. */
export const roleAccessToken = ['magpie.AccessToken', 'AccessToken'] as const;
/** Users who may change interpreter settings and repositories. */
export const roleInterpreters = ['global.SuperAdmin', 'magpie.OrganizationAdmin', 'admin'] as const;
/** Administrators of the server. */
export const roleAdmin = ['global.SuperAdmin', 'admin'] as const;
/** Users who may configure clusters and revision control. */
export const roleRevisions = ['global.SuperAdmin', 'magpie.OrganizationAdmin'] as const;
