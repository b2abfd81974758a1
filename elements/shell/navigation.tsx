import { Search } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Client } from 'tiding/client';
import { currentOf, useClusters } from '../clusters/cluster-store.ts';
import { tell, type ElementSpec, type ViewProps } from '../runtime/define-element.ts';
import { HostContext, useClient, useSelect } from '../runtime/hooks.ts';
import { fill, text } from '../text/en.ts';
import { Icon } from '../ui/button.tsx';
import { MenuButton } from '../ui/menu-button.tsx';
import { placeIcons, placesOf, type Place } from './places.ts';
import sheet from './navigation.css';

const t = text.navigation;

function NavigationView(props: ViewProps) {
  const { host, values } = props;
  const client = useClient(props);
  const { path = '', list = false } = values as { path?: string; list?: boolean };
  const places = placesOf(values['places']);
  if (!client && places.length === 0) return <p className="element-note">{text.noServer}</p>;
  return (
    <HostContext value={host}>
      {list ? <SideList places={places} path={path} host={host} /> : (
        <div className="nav-bar">
          <nav className="nav-links" aria-label={t.main}>
            {places.filter(({ group }) => group === 'main').map((place) => <PlaceLink key={place.path} place={place} path={path} host={host} />)}
            <Settings places={places.filter(({ group }) => group !== 'main')} />
          </nav>
          {client ? <SearchField key={path.startsWith('/search/') ? path : ''} path={path} online={client} /> : null}
          {client && places.some((place) => place.path === '/clusters') ? <CurrentCluster client={client} host={host} /> : null}
        </div>
      )}
    </HostContext>
  );
}

/** A link to a page; what its page needs is asked for when the pointer or the focus comes near. */
function PlaceLink({ place, path, host, icon }: { place: Place; path: string; host: HTMLElement; icon?: boolean }) {
  const near = (): void => void tell(host, 'tiding-near', { path: place.path });
  const Glyph = icon ? placeIcons[place.path] : undefined;
  return (
    <a href={`#${place.path}`} aria-current={place.path === path ? 'page' : undefined} onPointerEnter={near} onFocus={near}>
      {Glyph ? <Icon of={Glyph} size="sm" /> : null}{place.label}
    </a>
  );
}

/** Where the reader computes, and the way to the other places; nothing where there are none. A bar that is not shown asks for nothing. */
function CurrentCluster({ client, host }: { client: Client; host: HTMLElement }) {
  const { value } = useClusters(client, host.checkVisibility() ? 'passive' : 'silent');
  if (!value || value.clusters.length === 0) return null;
  const current = currentOf(value);
  const name = current?.name ?? text.clusters.none;
  return (
    <a className="nav-cluster" href="#/clusters" title={fill(text.clusters.currentIs, { name })} aria-label={fill(text.clusters.currentIs, { name })} onPointerEnter={() => tell(host, 'tiding-near', { path: '/clusters' })}>
      <span className={`dot ${current?.state === 'Running' ? 'success' : ''}`} /><span className="cluster-data">{name}</span>
    </a>
  );
}

function Settings({ places }: { places: readonly Place[] }) {
  if (places.length === 0) return null;
  return (
    <MenuButton
      label={t.settings}
      entries={() => places.map(({ path, label }) => {
        const icon = placeIcons[path];
        return { label, ...(icon ? { icon } : {}), onSelect: () => location.assign(`#${path}`) };
      })}
    >
      {t.settings}
    </MenuButton>
  );
}

/** The pages of settings, beside each of them. */
function SideList({ places, path, host }: { places: readonly Place[]; path: string; host: HTMLElement }) {
  return (
    <nav className="side-places" aria-label={t.settings}>
      {(['workspace', 'account'] as const).map((group) => {
        const some = places.filter((place) => place.group === group);
        return some.length === 0 ? null : (
          <div key={group}>
            <h2>{t[group]}</h2>
            {some.map((place) => <PlaceLink key={place.path} place={place} path={path} host={host} icon />)}
          </div>
        );
      })}
    </nav>
  );
}

/** Enter leads to the page of what was found; `/` outside of any field comes here. */
function SearchField({ path, online }: { path: string; online: NonNullable<ReturnType<typeof useClient>> }) {
  const connected = useSelect(online, (state) => state.connection === 'open', false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const target = event.composedPath()[0];
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select, [role=textbox]'))) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  // The term goes when the reader leaves the page of what was found (specification): the field is made anew.
  const term = path.startsWith('/search/') ? decodeURIComponent(path.slice('/search/'.length)) : '';
  return (
    <form
      className="input nav-search" role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = field.current?.value.trim() ?? '';
        if (wanted !== '') location.assign(`#/search/${encodeURIComponent(wanted)}`);
      }}
    >
      <Icon of={Search} size="sm" />
      <input ref={field} type="search" defaultValue={term} placeholder={t.search} aria-label={t.search} aria-keyshortcuts="/" disabled={!connected} autoComplete="off" spellCheck={false} />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}

/** `<tiding-navigation>` */
export const navigation: ElementSpec = {
  tag: 'tiding-navigation',
  doc: 'The ways to the pages: links, the menu of settings and the search, or the list of settings beside a page.',
  view: NavigationView,
  properties: {
    path: { kind: 'string', doc: 'Path of the page that is shown.' },
    places: { kind: 'object', doc: 'Pages: an array of {path, label, group}, group being main, workspace or account.' },
    list: { kind: 'boolean', doc: 'The list of settings instead of the bar.' },
  },
  events: [{ name: 'tiding-near', doc: 'A page is likely to be opened next; detail {path}.' }],
  sheets: [sheet],
};
