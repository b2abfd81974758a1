/** Walks through every state of every page; see states.ts, and the test-states.ts of pages. */
import { walkAccount } from './account-states.ts';
import { walkCatalogue, walkSearch } from './catalogue-states.ts';
import { walkEmpty, walkFailing } from './failing-states.ts';
import { walkNavigation } from './navigation-states.ts';
import { pageStates, type Surroundings } from './page-states.ts';
import {
  walkDrafts,
  walkHome,
  walkInterpreters,
  walkLooks,
  walkNote,
  walkSignIn,
} from './states.ts';

/** All walks by name, in their order. The first signs in. */
export const walks: readonly (readonly [string, (on: Surroundings) => Promise<void>])[] = [
  ['signing in', ({ page, world, visit, ready }) => walkSignIn(page, world, visit, ready)],
  ['home', ({ page, visit }) => walkHome(page, visit)],
  ['interpreter settings', ({ page, world, visit }) => walkInterpreters(page, world, visit)],
  ['a note', ({ page, world, visit }) => walkNote(page, world, visit)],
  ['unsaved texts', ({ page, world, visit, net }) => walkDrafts(page, world, visit, net)],
  ['layouts of a note', ({ page, world, visit }) => walkLooks(page, world, visit)],
  ...(await pageStates()).map(({ folder, walk }) => [folder, walk] as const),
  ['account and configuration', ({ page, world, visit }) => walkAccount(page, world, visit)],
  ['search', ({ page, world, visit }) => walkSearch(page, world, visit)],
  ['packages and revision control', ({ page, world, visit }) => walkCatalogue(page, world, visit)],
  ['navigation', ({ page, world, visit }) => walkNavigation(page, world, visit)],
  ['failing pages', ({ page, world, visit, net }) => walkFailing(page, world, visit, net)],
  ['empty pages', ({ page, visit }) => walkEmpty(page, visit)],
];
