/** The menus of the navigation bar: notes, settings, the person, and all of them in one where there is little room. */
import { Clock, FileText, Keyboard, LogOut, Menu, Plus, Upload } from 'lucide-react';
import type { Client } from 'tiding/client';
import { isTrashed, noteTitle, screenUsername } from 'tiding/model';
import { recentNotes } from '../notes/recent.ts';
import { tell } from '../runtime/define-element.ts';
import { useSelect } from '../runtime/hooks.ts';
import { fill, text } from '../text/en.ts';
import { MenuButton, type MenuEntry } from '../ui/menu-button.tsx';
import { placeIcons, type Place } from './places.ts';

const t = text.navigation;
/** Notes opened last that the menu has. */
const RECENT = 5;

/** What the menus do, and what they are told. */
export interface MenuProps {
  host: HTMLElement;
  path: string;
  places: readonly Place[];
  client: Client | undefined;
  /** Opens the dialog that makes a note. */
  onMake: (which: 'create' | 'import') => void;
  /** A menu opens or closes. */
  onOpen: (open: boolean) => void;
}

const isSetting = ({ group }: Place): boolean => group !== 'main';
const goTo = (path: string): void => location.assign(`#${path}`);
const placeEntry = ({ path, label }: Place): Exclude<MenuEntry, 'rule'> => {
  const icon = placeIcons[path];
  return { label, ...(icon ? { icon } : {}), onSelect: () => goTo(path) };
};

/** Entries about notes; those opened last come once the list of notes is known. */
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
          .slice(0, RECENT)
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
            void (tell(host, 'tiding-open-note', { noteId: id }) && goTo(`/notebook/${id}`)),
        }),
      ),
    ];
  };
  return { entries, onOpen };
}

/** New notes, and those opened last. */
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

/** The menu of the pages of settings; it is marked on each of them. */
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

/** All ways in one menu, where there is no room for them beside each other. */
export function WholeMenu(props: MenuProps) {
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

/** Who is signed in and whether he is connected; below 940 px also what the bar has no room for. */
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
  if (!ticket) return null;
  const name = screenUsername(ticket.principal);
  const state = connection === 'open' ? text.app.connected : text.app.disconnected;
  const clusters = places.find(({ path }) => path === '/clusters');
  return (
    <MenuButton
      className="nav-person"
      label={fill(t.signedInAs, { name, connection: state })}
      plain
      onOpen={onOpen}
      entries={() => [
        ...(isNarrow()
          ? [
              ...(clusters ? [placeEntry(clusters)] : []),
              { label: t.shortcuts, icon: Keyboard, onSelect: onShortcuts },
              'rule' as const,
            ]
          : []),
        {
          label: text.app.logout,
          icon: LogOut,
          onSelect: () => void tell(host, 'tiding-logout-wanted'),
        },
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
