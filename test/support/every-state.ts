/** Walks through every state of every page; see states.ts. */
import type { Page } from 'playwright-core';
import { walkAccount } from './account-states.ts';
import { walkCatalogue, walkSearch } from './catalogue-states.ts';
import { walkEmpty, walkFailing } from './failing-states.ts';
import { walkNavigation } from './navigation-states.ts';
import { walkPeople } from './people-states.ts';
import {
  type Network,
  type Visit,
  type World,
  walkClusters,
  walkConnections,
  walkDrafts,
  walkHome,
  walkInterpreters,
  walkJobs,
  walkLooks,
  walkNote,
  walkSignIn,
} from './states.ts';

/** What the walks need: a page that is signed out, and a server with packages and its folder. */
export interface Surroundings {
  readonly page: Page;
  readonly world: World;
  /** Folder of the server, with packages (see `package-samples.ts`). */
  readonly data: string;
  readonly visit: Visit;
  readonly net: Network;
  /** Called after each load of the sign-in page. */
  readonly ready?: () => Promise<void>;
}

/** All walks by name, in their order. The first signs in. */
export const walks: readonly (readonly [string, (on: Surroundings) => Promise<void>])[] = [
  ['signing in', ({ page, world, visit, ready }) => walkSignIn(page, world, visit, ready)],
  ['home', ({ page, visit }) => walkHome(page, visit)],
  ['interpreter settings', ({ page, world, visit }) => walkInterpreters(page, world, visit)],
  ['a note', ({ page, world, visit }) => walkNote(page, world, visit)],
  ['unsaved texts', ({ page, world, visit, net }) => walkDrafts(page, world, visit, net)],
  ['layouts of a note', ({ page, world, visit }) => walkLooks(page, world, visit)],
  ['jobs', ({ page, world, visit }) => walkJobs(page, world, visit)],
  ['clusters', ({ page, world, data, visit }) => walkClusters(page, world, data, visit)],
  ['connections', ({ page, world, visit }) => walkConnections(page, world, visit)],
  ['people', ({ page, world, visit }) => walkPeople(page, world, visit)],
  ['account and configuration', ({ page, world, visit }) => walkAccount(page, world, visit)],
  ['search', ({ page, world, visit }) => walkSearch(page, world, visit)],
  ['packages and revision control', ({ page, world, visit }) => walkCatalogue(page, world, visit)],
  ['navigation', ({ page, world, visit }) => walkNavigation(page, world, visit)],
  ['failing pages', ({ page, world, visit, net }) => walkFailing(page, world, visit, net)],
  ['empty pages', ({ page, visit }) => walkEmpty(page, visit)],
];
