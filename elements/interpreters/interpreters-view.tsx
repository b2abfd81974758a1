/** The interpreter settings page. */

import type { Client } from '@tiding/client';
import type { InterpreterSetting } from '@tiding/client/protocol';
import { HardDrive, Plus } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { clientView } from '../runtime/client-view.tsx';
import { useEvent, useSelect } from '../runtime/hooks.ts';
import { useMayLeave } from '../runtime/methods.ts';
import { useViewStore } from '../runtime/store.ts';
import { fill } from '../text/fill.ts';
import { Button } from '../ui/button.tsx';
import { useQuestion } from '../ui/dialogs.tsx';
import principalSheet from '../ui/fields/principal-field.css';
import {
  EmptyState,
  FilterField,
  type Loaded,
  LoadProblem,
  NoMatch,
  Page,
  pageSheet,
  useLoaded,
} from '../ui/page.tsx';
import { useFocusAfterForm } from '../ui/return-focus.ts';
import { useToasts } from '../ui/toasts.tsx';
import adaptations from './adaptations.css';
import sheet from './interpreters.css';
import kernelSheet from './kernels.css';
import { Kernels } from './kernels.tsx';
import propertyTable from './property-table.css';
import { RepositoriesDialog } from './repositories.tsx';
import { CreateForm } from './setting-form.tsx';
import { isBroken, SettingRow } from './setting-row.tsx';
import { matchesSetting } from './setting-text.ts';
import { NEW_SETTING, SettingsPage } from './settings-page.ts';
import { interpreterTexts as t } from './texts.ts';

/** Delay between the last key and applying the filter, in ms (specification). */
const FILTER_MS = 300;
/** Reload interval while dependencies are downloaded, in ms (specification). */
const POLL_MS = 2_000;

export const sheets: readonly string[] = [
  pageSheet,
  principalSheet,
  sheet,
  propertyTable,
  kernelSheet,
  adaptations,
];

/** Typed text must survive a remount of the view, for example after `setTexts`. */
const pages = new WeakMap<HTMLElement, SettingsPage>();

function pageOf(host: HTMLElement, client: Client): SettingsPage {
  const known = pages.get(host);
  if (known?.client === client) return known;
  const made = new SettingsPage(client);
  pages.set(host, made);
  return made;
}

export default clientView(Interpreters);

function Interpreters({ client, host }: { client: Client; host: HTMLElement }) {
  const page = useMemo(() => pageOf(host, client), [host, client]);
  const loaded = useLoaded(client, (from) => from.interpreters.list());
  const [toast, toasts] = useToasts();
  const [confirm, question] = useQuestion();
  const [filter, setFilter] = useState('');
  const [repositories, setRepositories] = useState(false);
  const creating = useViewStore(page.state, (state) => state.edits.get(NEW_SETTING));
  useSelect(client, ({ session }) => session.ticket?.principal, undefined);
  const { signedIn } = page;
  const all = useMemo(
    () => [...(loaded.value ?? [])].sort((a, b) => a.name.localeCompare(b.name)),
    [loaded.value],
  );
  const shown = useMemo(
    () => new Set(all.filter((setting) => matchesSetting(setting, filter))),
    [all, filter],
  );

  const changed = useEvent((id: string, setting: InterpreterSetting | undefined) =>
    loaded.set((before = []) => {
      const known = before.some((each) => each.id === id);
      if (!setting) return before.filter((each) => each.id !== id);
      return known ? before.map((each) => (each.id === id ? setting : each)) : [...before, setting];
    }),
  );
  const settings = useEvent(() => all);
  // Attach before the user can press anything.
  useMemo(
    () => page.attach({ confirm, toast, changed, settings }),
    [page, confirm, toast, changed, settings],
  );
  useMayLeave(host, page.mayLeave);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => page.dirty && event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [page]);
  useDownloads(loaded);
  // The focus may be on the new setting.
  useFocusAfterForm(creating !== undefined, () =>
    page.state.get().focusOn === undefined && !host.shadowRoot?.activeElement
      ? host.shadowRoot?.querySelector<HTMLElement>('.page-head .primary')
      : undefined,
  );
  useBroken(loaded.value, (message) => toast('danger', message, undefined, true));

  return (
    <Page
      title={t.title}
      actions={
        !loaded.value ? null : (
          <>
            <Button kind="secondary" icon={HardDrive} onClick={() => setRepositories(true)}>
              {t.repositories}
            </Button>
            <Button
              kind="primary"
              icon={Plus}
              disabled={creating !== undefined}
              onClick={() => page.startCreate()}
            >
              {t.create}
            </Button>
          </>
        )
      }
    >
      <LoadProblem host={host} loaded={loaded} fallback={t.failed} />
      {!loaded.value ? null : (
        <>
          <div className="page-tools">
            <FilterField label={t.filter} value={filter} delay={FILTER_MS} onValue={setFilter} />
          </div>
          {creating ? <CreateForm page={page} edit={creating} signedIn={signedIn} /> : null}
          {all.length === 0 ? (
            <EmptyState>{t.none}</EmptyState>
          ) : shown.size === 0 ? (
            <NoMatch onClear={() => setFilter('')} />
          ) : null}
          <ul className="card settings" aria-label={t.title} hidden={shown.size === 0}>
            {all.map((setting) => (
              <SettingRow
                key={setting.id}
                page={page}
                setting={setting}
                signedIn={signedIn}
                hidden={!shown.has(setting)}
              />
            ))}
          </ul>
          <Kernels client={client} onFound={loaded.reload} />
        </>
      )}
      {repositories ? (
        <RepositoriesDialog client={client} host={host} onClose={() => setRepositories(false)} />
      ) : null}
      {question}
      {toasts}
    </Page>
  );
}

/** Reloads the list while dependencies are downloaded, also after a failed attempt. */
function useDownloads({
  value,
  error,
  loading,
  reload,
}: Loaded<readonly InterpreterSetting[]>): void {
  const downloading = value?.some(({ status }) => status === 'DOWNLOADING_DEPENDENCIES') ?? false;
  // An immediate answer is rendered together with its request.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer starts a new wait
  useEffect(() => {
    if (!downloading || loading) return undefined;
    const timer = setTimeout(() => void reload(), POLL_MS);
    return () => clearTimeout(timer);
  }, [downloading, loading, reload, value, error]);
}

/** Shows a toast for each broken setting, once per reason, and again if it worked in between. */
function useBroken(
  settings: readonly InterpreterSetting[] | undefined,
  tell: (message: string) => void,
): void {
  const told = useRef(new Map<string, string>());
  const say = useEvent(tell);
  useEffect(() => {
    const before = told.current;
    told.current = new Map(
      (settings ?? []).filter(isBroken).map(({ id, group, name, errorReason }) => {
        const whole = group === undefined ? name : `${group}.${name}`;
        return [
          id,
          errorReason
            ? fill(t.broken, { name: whole, reason: errorReason })
            : fill(t.settingError, { name: whole }),
        ];
      }),
    );
    for (const [id, message] of told.current) if (before.get(id) !== message) say(message);
  }, [settings, say]);
}
