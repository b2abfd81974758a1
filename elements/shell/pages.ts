import {
  Database,
  GitBranch,
  House,
  KeyRound,
  type LucideIcon,
  Network,
  Package,
  Plug,
  ScrollText,
  SquareTerminal,
  Users,
  Workflow,
} from 'lucide-react';

/** A page in the navigation. */
export interface NavigationPage {
  /** Path of its route, such as `/jobmanager`. */
  readonly path: string;
  /** Text of its link. */
  readonly label: string;
  /**
   * `main` pages are shown in the bar; the others are in the settings menu and in the list next to
   * their pages.
   */
  readonly group: 'main' | 'workspace' | 'account';
}

export const pageIcons: Readonly<Record<string, LucideIcon>> = {
  '/': House,
  '/jobmanager': Workflow,
  '/clusters': Network,
  '/interpreter': Plug,
  '/connections': Database,
  '/people': Users,
  '/credential': KeyRound,
  '/helium': Package,
  '/revision-control': GitBranch,
  '/configuration': ScrollText,
  '/account': SquareTerminal,
};

/** Parses the host's `places` property; invalid entries are ignored. */
export function parsePages(value: unknown): readonly NavigationPage[] {
  return Array.isArray(value)
    ? value.filter(
        (each): each is NavigationPage =>
          typeof each?.path === 'string' &&
          typeof each.label === 'string' &&
          typeof each.group === 'string',
      )
    : [];
}
