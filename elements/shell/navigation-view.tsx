import type { Client } from '@tiding/client';
import { Keyboard, Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { NoteDialogs } from '../notes/note-dialogs.tsx';
import { useHostClient } from '../runtime/client-view.tsx';
import { emitEvent, type ViewProps } from '../runtime/define-element.ts';
import { HostContext, useSelect } from '../runtime/hooks.ts';
import { CodeBoundary, lazyCode } from '../runtime/lazy-code.tsx';
import { commonTexts } from '../text/common.ts';
import { Button, Icon } from '../ui/button.tsx';
import { ClusterMenu } from './cluster-menu.tsx';
import { CombinedMenu, NotesMenu, PersonMenu, SettingsMenu } from './menus.tsx';
import sheet from './navigation.css';
import { navigationTexts as t } from './navigation-texts.ts';
import { type NavigationPage, pageIcons, parsePages } from './pages.ts';

const ShortcutsDialog = lazyCode(
  async () => (await import('../note/dialogs/shortcuts.tsx')).ShortcutsDialog,
);

export default function NavigationView(props: ViewProps) {
  const { host, values } = props;
  const client = useHostClient(props);
  const { path = '', list = false } = values as { path?: string; list?: boolean };
  const places = parsePages(values['places']);
  if (!client && places.length === 0) return <p className="element-note">{commonTexts.noServer}</p>;
  return (
    <HostContext value={host}>
      {list ? (
        <SideList places={places} path={path} host={host} />
      ) : (
        <Bar {...{ host, client, path, places }} />
      )}
    </HostContext>
  );
}

interface BarProps {
  host: HTMLElement;
  client: Client | undefined;
  path: string;
  places: readonly NavigationPage[];
}

/**
 * The navigation bar. With enough space all parts are side by side; otherwise there is a menu, the
 * name, a search button and the user menu.
 */
function Bar({ host, client, path, places }: BarProps) {
  const box = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(0);
  const [dialog, setDialog] = useState<'create' | 'import' | 'shortcuts'>();
  const [searching, setSearching] = useState(false);
  // Open menus overlay the page; the attribute lets the host page adapt its bar.
  useEffect(() => {
    void host.toggleAttribute('data-over', open > 0 || dialog !== undefined);
  }, [host, open, dialog]);
  const close = (id?: string): void => {
    setDialog(undefined);
    if (id !== undefined && emitEvent(host, 'tiding-open-note', { noteId: id }))
      location.assign(`#/notebook/${id}`);
  };
  const menu = {
    host,
    client,
    path,
    places,
    onMake: setDialog,
    onOpen: (is: boolean) => setOpen((before) => Math.max(0, before + (is ? 1 : -1))),
  };
  const onShortcuts = (): void => setDialog('shortcuts');
  const main = places.filter(({ group }) => group === 'main');
  const link = (place: NavigationPage) => (
    <PlaceLink key={place.path} place={place} path={path} host={host} />
  );
  return (
    <div ref={box} className={searching ? 'nav-box searching' : 'nav-box'}>
      <div className="nav-bar">
        <CombinedMenu {...menu} />
        <slot />
        <nav className="nav-links" aria-label={t.main}>
          {main.filter((place) => place.path === '/').map(link)}
          {client ? <NotesMenu {...menu} /> : null}
          {main.filter((place) => place.path !== '/').map(link)}
          <SettingsMenu {...menu} />
        </nav>
        {client ? (
          <SearchField
            key={path.startsWith('/search/') ? path : ''}
            path={path}
            online={client}
            searching={searching}
            onSearching={setSearching}
          />
        ) : null}
        {client && places.some((place) => place.path === '/clusters') ? (
          <ClusterMenu client={client} host={host} onOpen={menu.onOpen} />
        ) : null}
        {client ? (
          <Button className="nav-keys" icon={Keyboard} label={t.shortcuts} onClick={onShortcuts} />
        ) : null}
        {client ? (
          <PersonMenu
            {...menu}
            client={client}
            onShortcuts={onShortcuts}
            isNarrow={() => (box.current?.offsetWidth ?? 0) <= 940}
          />
        ) : null}
      </div>
      {client ? (
        <NoteDialogs
          client={client}
          which={dialog === 'shortcuts' ? undefined : dialog}
          onClose={close}
        />
      ) : null}
      {dialog === 'shortcuts' ? (
        <CodeBoundary fallback={null}>
          <ShortcutsDialog onClose={close} />
        </CodeBoundary>
      ) : null}
    </div>
  );
}

interface PlaceLinkProps {
  place: NavigationPage;
  path: string;
  host: HTMLElement;
  icon?: boolean;
}

/** Link to a page. Emits `tiding-near` on hover and focus, so that the host page can preload. */
function PlaceLink({ place, path, host, icon }: PlaceLinkProps) {
  const near = (): void => void emitEvent(host, 'tiding-near', { path: place.path });
  const Glyph = icon ? pageIcons[place.path] : undefined;
  return (
    <a
      href={`#${place.path}`}
      aria-current={place.path === path ? 'page' : undefined}
      onPointerEnter={near}
      onFocus={near}
    >
      {Glyph ? <Icon of={Glyph} /> : null}
      {place.label}
    </a>
  );
}

interface SideListProps {
  places: readonly NavigationPage[];
  path: string;
  host: HTMLElement;
}

/** List of settings pages, shown next to each of them. */
function SideList({ places, path, host }: SideListProps) {
  const nav = useRef<HTMLElement>(null);
  // In a narrow window the list scrolls horizontally: scroll to the current page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls for a new page or page count
  useEffect(() => {
    nav.current
      ?.querySelector('[aria-current]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [path, places.length]);
  return (
    <nav ref={nav} className="side-places" aria-label={t.settings}>
      {(['workspace', 'account'] as const).map((group) => {
        const some = places.filter((place) => place.group === group);
        return some.length === 0 ? null : (
          <div key={group}>
            <h2>{t[group]}</h2>
            {some.map((place) => (
              <PlaceLink key={place.path} place={place} path={path} host={host} icon />
            ))}
          </div>
        );
      })}
    </nav>
  );
}

/** Returns the term of a path of the search page, else an empty text. */
function searchTermOf(path: string): string {
  if (!path.startsWith('/search/')) return '';
  const term = path.slice('/search/'.length);
  try {
    return decodeURIComponent(term);
  } catch {
    return term;
  }
}

interface SearchFieldProps {
  path: string;
  online: Client;
  searching: boolean;
  onSearching: (searching: boolean) => void;
}

/** Search field. Enter opens the search page; `/` outside of any field focuses it. */
function SearchField({ path, online, searching, onSearching }: SearchFieldProps) {
  // A page without a need for a live connection has none (`idle`), and can still search.
  const connected = useSelect(
    online,
    ({ connection }) => connection === 'open' || connection === 'idle',
    true,
  );
  const field = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const target = event.composedPath()[0];
      if (
        event.key !== '/' ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.defaultPrevented
      )
        return;
      if (
        target instanceof HTMLElement &&
        (target.isContentEditable || target.matches('input, textarea, select, [role=textbox]'))
      )
        return;
      event.preventDefault();
      flushSync(() => onSearching(true));
      field.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [onSearching]);
  // The term is cleared when the reader leaves the search page (specification): the field is
  // re-created.
  const term = searchTermOf(path);
  return (
    <>
      <form
        className="input nav-search"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = field.current?.value.trim() ?? '';
          if (wanted === '') return;
          onSearching(false);
          location.assign(`#/search/${encodeURIComponent(wanted)}`);
        }}
        onBlur={({ relatedTarget, currentTarget }) =>
          !currentTarget.contains(relatedTarget) && onSearching(false)
        }
        onKeyDown={({ key }) => {
          if (key !== 'Escape' || !searching) return;
          flushSync(() => onSearching(false));
          button.current?.querySelector('button')?.focus();
        }}
      >
        <Icon of={Search} className="dim" />
        <input
          ref={field}
          type="search"
          defaultValue={term}
          placeholder={t.search}
          aria-label={t.search}
          aria-keyshortcuts="/"
          disabled={!connected}
          autoComplete="off"
          spellCheck={false}
        />
        {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: kbd can't have the focus */}
        <kbd aria-hidden="true">/</kbd>
      </form>
      <span className="grow" />
      <span ref={button} className="nav-narrow">
        <Button
          icon={Search}
          label={t.search}
          disabled={!connected}
          aria-expanded={searching}
          onClick={() => {
            flushSync(() => onSearching(true));
            field.current?.focus();
          }}
        />
      </span>
    </>
  );
}

export const sheets = [sheet];
