/**
 * Menus of the navigation bar: notes, settings, the user, and all of them in one for narrow
 * windows.
 */

import type { Client } from '@tiding/client';
import { isAnonymous, isTrashed, noteTitle, screenUsername } from '@tiding/client/model';
import { BookOpen, Clock, FileText, Keyboard, LogOut, Menu, Plus, Upload } from 'lucide-react';
import { recentNotes } from '../note-list/recent.ts';
import { emitEvent } from '../runtime/define-element.ts';
import { useSelect } from '../runtime/hooks.ts';
import { fill } from '../text/fill.ts';
import { MenuButton, type MenuEntry } from '../ui/menu/menu-button.tsx';
import { navigationTexts as t } from './navigation-texts.ts';
import { type NavigationPage, pageIcons } from './pages.ts';
import { shellTexts } from './texts.ts';

/** Maximum number of recent notes in the menu. */
const MAX_RECENT_NOTES = 5;

interface MenuProps {
  host: HTMLElement;
  path: string;
  places: readonly NavigationPage[];
  client: Client | undefined;
  /** Opens the dialog that creates or imports a note. */
  onMake: (which: 'create' | 'import') => void;
  /** Called when a menu opens or closes. */
  onOpen: (open: boolean) => void;
}

const isSetting = ({ group }: NavigationPage): boolean => group !== 'main';
const goTo = (path: string): void => location.assign(`#${path}`);
const placeEntry = ({ path, label }: NavigationPage): Exclude<MenuEntry, 'rule'> => {
  const icon = pageIcons[path];
  return { label, ...(icon ? { icon } : {}), onSelect: () => goTo(path) };
};

/** Menu entries for notes. Recent notes appear once the list of notes is loaded. */
function useNoteEntries({ client, host, onMake, onOpen: tellOpen }: MenuProps): {
  entries: () => readonly MenuEntry[];
  onOpen: (open: boolean) => void;
} {
  const notes = useSelect(client, (state) => state.notes, undefined);
  const onOpen = (open: boolean): void => {
    tellOpen(open);
    if (open && client && !client.state.notes) client.notes.list().catch(() => {});
  };
  const entries = (): readonly MenuEntry[] => {
    const live = new Map(
      notes?.filter(({ path }) => !isTrashed(path)).map((note) => [note.id, note]),
    );
    const recent = client
      ? recentNotes(client)
          .flatMap((id) => live.get(id) ?? [])
          .slice(0, MAX_RECENT_NOTES)
      : [];
    return [
      { label: t.newNote, icon: Plus, onSelect: () => onMake('create') },
      { label: t.importNote, icon: Upload, onSelect: () => onMake('import') },
      ...(recent.length === 0 ? [] : ['rule' as const]),
      ...recent.map(
        ({ id, path }): MenuEntry => ({
          label: noteTitle({ id, name: path }),
          icon: Clock,
          data: true,
          onSelect: () =>
            void (emitEvent(host, 'tiding-open-note', { noteId: id }) && goTo(`/notebook/${id}`)),
        }),
      ),
    ];
  };
  return { entries, onOpen };
}

/** Menu with commands for new notes, and recent notes. */
export function NotesMenu(props: MenuProps) {
  const { entries, onOpen } = useNoteEntries(props);
  return (
    <span className={props.path.startsWith('/notebook/') ? 'nav-menu here' : 'nav-menu'}>
      <MenuButton
        label={t.notes}
        align="start"
        onOpen={onOpen}
        entries={() => [
          ...entries(),
          'rule',
          { label: t.allNotes, icon: FileText, onSelect: () => goTo('/') },
        ]}
      >
        {t.notes}
      </MenuButton>
    </span>
  );
}

/** Menu of settings pages; highlighted on each of them. */
export function SettingsMenu({ places: all, path: here, onOpen }: MenuProps) {
  const places = all.filter(isSetting);
  if (places.length === 0) return null;
  return (
    <span className={places.some(({ path }) => path === here) ? 'nav-menu here' : 'nav-menu'}>
      <MenuButton
        label={t.settings}
        align="start"
        onOpen={onOpen}
        entries={() => places.map(placeEntry)}
      >
        {t.settings}
      </MenuButton>
    </span>
  );
}

/** All pages in one menu, for narrow windows. */
export function CombinedMenu(props: MenuProps) {
  const { entries, onOpen } = useNoteEntries(props);
  const settings = props.places.filter(isSetting);
  return (
    <MenuButton
      className="nav-narrow"
      icon={Menu}
      label={t.menu}
      align="start"
      onOpen={onOpen}
      entries={() => [
        ...props.places
          .filter(({ group }) => group === 'main')
          .map(
            (place): MenuEntry => ({ ...placeEntry(place), current: place.path === props.path }),
          ),
        ...(props.client ? ['rule' as const, ...entries()] : []),
        ...(settings.length === 0
          ? []
          : [
              'rule' as const,
              ...settings.map((place) => ({
                ...placeEntry(place),
                current: place.path === props.path,
              })),
            ]),
      ]}
    />
  );
}

/**
 * Menu of the signed-in user with the connection state. Below 940 px it also contains what does not
 * fit in the bar.
 */
export function PersonMenu({
  client,
  host,
  places,
  onOpen,
  onShortcuts,
  isNarrow,
}: MenuProps & { client: Client; onShortcuts: () => void; isNarrow: () => boolean }) {
  const ticket = useSelect(client, ({ session }) => session.ticket, undefined);
  const connection = useSelect(client, (state) => state.connection, 'idle');
  const features = useSelect(
    client,
    (state) => state.config?.['features'] as Record<string, unknown> | undefined,
    undefined,
  );
  if (!ticket) return null;
  const signsIn = !isAnonymous(ticket.principal);
  const name = screenUsername(ticket.principal);
  const state = connection === 'open' ? shellTexts.connected : shellTexts.disconnected;
  const clusters = places.find(({ path }) => path === '/clusters');
  return (
    <MenuButton
      className="nav-person"
      label={fill(t.signedInAs, { name, connection: state })}
      plain
      onOpen={onOpen}
      entries={() => [
        ...(isNarrow() || !signsIn
          ? [
              ...(clusters ? [placeEntry(clusters)] : []),
              { label: t.shortcuts, icon: Keyboard, onSelect: onShortcuts },
              'rule' as const,
            ]
          : []),
        ...(features?.['documentation'] === true
          ? [
              {
                label: t.documentation,
                icon: BookOpen,
                onSelect: () => void window.open(`${client.server}/docs/`, '_blank', 'noopener'),
              },
            ]
          : []),
        ...(signsIn
          ? [
              {
                label: shellTexts.logout,
                icon: LogOut,
                onSelect: () => void emitEvent(host, 'tiding-logout-wanted'),
              },
            ]
          : []),
      ]}
    >
      <span
        className="avatar"
        data-connection={connection}
        title={state}
        data-initials={name.slice(0, 2).toUpperCase()}
        aria-hidden="true"
      />
      <span className="user-name">{name}</span>
    </MenuButton>
  );
}
