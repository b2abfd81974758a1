/** Access tokens, embed tokens, trust in notes, users and their passwords. */
import * as z from 'zod/mini';
import { embedScopes, endpoint, jsonObject, maybe, open, strict } from '../define.ts';
import { accessToken } from '../objects.ts';
import { noteTrust, principals } from '../server-objects.ts';
import { roleAccessToken } from './roles.ts';
import { nothing, text } from './schemas.ts';

const newPassword = z.string().check(z.minLength(1));

/** REST calls for tokens, trust, users and passwords. */
export const accessEndpoints = {
  listTokens: endpoint('GET', '/magpie/access-token', {
    access: roleAccessToken,
    answer: z.array(accessToken),
  }),
  /** Without `expiresInDays` the server chooses; null (Tiding) means never. */
  createToken: endpoint('POST', '/magpie/access-token', {
    access: roleAccessToken,
    body: z.optional(
      open({ description: maybe(z.string()), expiresInDays: z.optional(z.nullable(z.number())) }),
    ),
    answer: accessToken,
    audit: 'token-created',
  }),
  setTokenStatus: endpoint('PUT', '/magpie/access-token/:tokenId/status/:status', {
    access: roleAccessToken,
    answer: accessToken,
    audit: 'token-changed',
  }),
  describeToken: endpoint('PUT', '/magpie/access-token/:tokenId/description', {
    access: roleAccessToken,
    encoding: 'text',
    body: text,
    answer: accessToken,
    audit: 'token-changed',
  }),
  deleteToken: endpoint('DELETE', '/magpie/access-token/:tokenId', {
    access: roleAccessToken,
    answer: nothing,
    audit: 'token-revoked',
  }),
  /**
   * Tiding: creates a token for pages of another host, for one note or paragraph, valid for at most
   * 300 s. `params` are values of forms of the note or paragraph that the page cannot change. With
   * the scope `edit`, the page runs code in the `interpreters` only, by default in none. Pages of
   * another `origin` are refused.
   */
  createEmbedToken: endpoint('POST', '/magpie/embed-token', {
    body: strict({
      noteId: text,
      paragraphId: maybe(text),
      scope: z.enum(embedScopes),
      params: maybe(jsonObject),
      interpreters: maybe(z.array(text)),
      expiresInSeconds: maybe(z.number()),
      subject: maybe(text),
      origin: maybe(text),
    }),
    answer: open({ token: text, expiresAt: text, jti: text }),
    audit: 'embed-token-created',
  }),
  revokeEmbedToken: endpoint('DELETE', '/magpie/embed-token/:jti', {
    answer: nothing,
    audit: 'embed-token-revoked',
  }),
  /**
   * Revokes all tokens the caller created; with `issuer`, those of another user (administrators
   * only).
   */
  revokeEmbedTokens: endpoint('DELETE', '/magpie/embed-token', {
    query: open({ issuer: maybe(text) }),
    answer: nothing,
    audit: 'embed-token-revoked',
  }),
  /**
   * Tiding: whether scripts in the results of a note run for the caller, how the note came to be,
   * and by whom.
   */
  getTrust: endpoint('GET', '/magpie/trust/:noteId', {
    right: 'reader',
    since: 'none',
    answer: noteTrust,
    embed: ['results', 'any'],
  }),
  /** Tiding: stores the caller's decision for this note. */
  setTrust: endpoint('PUT', '/magpie/trust/:noteId', {
    right: 'reader',
    since: 'none',
    body: open({ trusted: z.boolean() }),
    answer: noteTrust,
    audit: 'note-trusted',
  }),
  /** Finds users and roles by a part of their names; at most five users. */
  findPrincipals: endpoint('GET', '/security/userlist/:term', { answer: principals }),
  principals: endpoint('GET', '/magpie/principals', { answer: principals }),
  /** Answers 202 whether or not the user exists. */
  requestPasswordReset: endpoint('POST', '/magpie/password-reset', {
    access: 'public',
    body: open({ username: text.check(z.minLength(1)) }),
    answer: jsonObject,
    audit: 'password-reset-asked',
  }),
  /** Tiding: with the user whose password the link sets; `invitation`: they have none yet. */
  checkPasswordReset: endpoint('GET', '/magpie/password-reset/:resetToken', {
    access: 'public',
    answer: open({
      valid: maybe(z.boolean()),
      expiresAt: maybe(text),
      name: maybe(text),
      invitation: maybe(z.boolean()),
    }),
  }),
  resetPassword: endpoint('PUT', '/magpie/password-reset/:resetToken', {
    access: 'public',
    body: open({ newPassword }),
    answer: jsonObject,
    audit: 'password-set',
  }),
};
