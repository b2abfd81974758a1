/** Sign-in and sign-out, the server's version, and the descriptions of the API. */
import * as z from 'zod/mini';
import { endpoint, jsonObject, maybe, open } from '../define.ts';
import { ticket } from '../objects.ts';
import { nothing, text } from './schemas.ts';

/** REST calls for signing in and out and for what a server is. */
export const sessionEndpoints = {
  version: endpoint('GET', '/version', {
    access: 'public',
    /**
     * `tiding` is present on a Tiding server. `namesReplies`: replies carry the `msgId` of their
     * message. `presence` and `restores`: the server supports TIDING_PRESENCE and
     * TIDING_RESTORE_PARAGRAPH. `assistant`: it has a model that answers questions. `gateway`: a
     * Tiding server in front of the server with this `version`; `also` lists the calls it adds, as
     * `METHOD /path`.
     */
    answer: open({
      version: z.string(),
      tiding: maybe(
        open({
          version: z.string(),
          namesReplies: maybe(z.boolean()),
          presence: maybe(z.boolean()),
          restores: maybe(z.boolean()),
          assistant: maybe(z.boolean()),
        }),
      ),
      gateway: maybe(open({ version: z.string(), also: maybe(z.array(z.string())) })),
    }),
    embed: ['results', 'any'],
  }),
  ticket: endpoint('GET', '/security/ticket', { answer: ticket, embed: ['results', 'any'] }),
  /** Zeppelin's single sign-on (Knox): the sign-in page; 405 on other servers. */
  loginAddress: endpoint('GET', '/login', {
    access: 'public',
    answer: open({ redirectURL: maybe(text) }),
  }),
  /**
   * Redirects the browser to the identity provider, and afterwards to `ref`. Navigate to the
   * address instead of calling it.
   */
  ssoLogin: endpoint('GET', '/login/sso', {
    access: 'public',
    content: 'raw',
    since: 'none',
    fork: true,
    query: open({
      domain: maybe(text),
      email: maybe(text),
      useHttps: maybe(text),
      ref: maybe(text),
    }),
  }),
  /**
   * Tiding: the address that the identity provider redirects to, with `state` and `code` or
   * `error`.
   */
  ssoCallback: endpoint('GET', '/login/sso/callback', {
    access: 'public',
    content: 'raw',
    since: 'none',
    query: open({ state: maybe(text), code: maybe(text), error: maybe(text) }),
  }),
  login: endpoint('POST', '/login', {
    access: 'public',
    encoding: 'form',
    body: open({ userName: z.string(), password: z.string() }),
    answer: ticket,
    audit: 'sign-in',
  }),
  /** Tiding: signs in with the one-time token of the link that the server prints when it starts. */
  loginOnce: endpoint('POST', '/login/once', {
    access: 'public',
    since: 'none',
    body: open({ token: z.string().check(z.minLength(1)) }),
    answer: ticket,
    audit: 'sign-in',
  }),
  /** Always answers 401, as Zeppelin does; the client reads that as success. */
  logout: endpoint('POST', '/login/logout', {
    access: 'public',
    answer: nothing,
    embed: ['results', 'any'],
    audit: 'sign-out',
  }),
  magpieConfig: endpoint('GET', '/magpie/config', {
    access: 'public',
    answer: jsonObject,
    embed: ['results', 'any'],
  }),
  magpieVersion: endpoint('GET', '/magpie/version', {
    access: 'public',
    answer: open({ version: z.string() }),
    embed: ['results', 'any'],
  }),
  /** Tiding: describes every REST call as OpenAPI 3.1. */
  openApi: endpoint('GET', '/openapi.json', { since: 'none', envelope: false, answer: jsonObject }),
  /** Tiding: describes every live operation as AsyncAPI 3. */
  asyncApi: endpoint('GET', '/asyncapi.json', {
    since: 'none',
    envelope: false,
    answer: jsonObject,
  }),
};
