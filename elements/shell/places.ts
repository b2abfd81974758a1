import {
  GitBranch,
  House,
  KeyRound,
  Network,
  Package,
  Plug,
  ScrollText,
  SquareTerminal,
  Workflow,
  type LucideIcon,
} from 'lucide-react';

/** A page that the navigation leads to. */
export interface Place {
  /** Path of its route: `/jobmanager`. */
  readonly path: string;
  readonly label: string;
  /** `main` stands in the bar, the others in the menu of settings and in the list beside their pages. */
  readonly group: 'main' | 'workspace' | 'account';
}

/** Icons of pages that have one, by path. */
export const placeIcons: Readonly<Record<string, LucideIcon>> = {
  '/': House,
  '/jobmanager': Workflow,
  '/clusters': Network,
  '/interpreter': Plug,
  '/credential': KeyRound,
  '/helium': Package,
  '/revision-control': GitBranch,
  '/configuration': ScrollText,
  '/account': SquareTerminal,
};

/** The places that a host's property names; what is none is left out. */
export function placesOf(value: unknown): readonly Place[] {
  return Array.isArray(value)
    ? value.filter(
        (each): each is Place =>
          typeof each?.path === 'string' &&
          typeof each.label === 'string' &&
          typeof each.group === 'string',
      )
    : [];
}
