/** Every state of every page; see states.ts. */
import type { Page } from 'playwright-core';
import { walkAccount } from './account-states.ts';
import { walkCatalogue, walkSearch } from './catalogue-states.ts';
import { walkEmpty, walkFailing } from './failing-states.ts';
import { walkNavigation } from './navigation-states.ts';
import {
  walkClusters,
  walkDrafts,
  walkHome,
  walkInterpreters,
  walkJobs,
  walkLooks,
  walkNote,
  walkSignIn,
  type Network,
  type Visit,
  type World,
} from './states.ts';

/** All walks, one after the other; begins signed out. `data`: the folder of the server, with packages (see `package-samples.ts`). */
export async function walkEverything(
  page: Page,
  world: World,
  data: string,
  visit: Visit,
  net: Network,
): Promise<void> {
  await walkSignIn(page, world, visit);
  await walkHome(page, visit);
  await walkInterpreters(page, world, visit);
  await walkNote(page, world, visit);
  await walkDrafts(page, world, visit, net);
  await walkLooks(page, world, visit);
  await walkJobs(page, world, visit);
  await walkClusters(page, world, data, visit);
  await walkAccount(page, world, visit);
  await walkSearch(page, world, visit);
  await walkCatalogue(page, world, visit);
  await walkNavigation(page, world, visit);
  await walkFailing(page, world, visit, net);
  await walkEmpty(page, visit);
}
