/** The states and visits of pages, which are beside each page in `test-states.ts`. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { filesOf, root } from './sources.ts';
import type { Network, Visit, World } from './states.ts';

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

/** The kinds of users. */
export type Who = 'anonymous' | 'reader' | 'analyst' | 'organisation' | 'super';
/** Outcome of a visit. `refused`: the page shows a message and goes home after three seconds. */
type Fate = 'shown' | 'refused' | 'home' | 'sign-in';
export interface PageVisit {
  /** Path in the route table. */
  readonly route: string;
  /** The element that shows the page, and a text in it. */
  readonly tag: string;
  readonly words: string;
  readonly fates: Readonly<Record<Who, Fate>>;
}
export const open = {
  anonymous: 'shown',
  reader: 'shown',
  analyst: 'shown',
  organisation: 'shown',
  super: 'shown',
} as const;
export const signedIn = { ...open, anonymous: 'sign-in' } as const;
export const superOnly = {
  anonymous: 'sign-in',
  reader: 'home',
  analyst: 'home',
  organisation: 'home',
  super: 'shown',
} as const;

/** What tests know of each page: its visits by all roles, and its states. */
export const pageStates = () =>
  Promise.all(
    filesOf('elements', /^test-states\.ts$/).map(async (file) => {
      const { visits, walk } = (await import(join(root, file))) as {
        visits: readonly PageVisit[];
        walk(on: Surroundings): Promise<void>;
      };
      return { folder: file.split('/')[1]!, visits, walk };
    }),
  );
