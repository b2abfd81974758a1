/** The page of interpreter settings. */
import { HardDrive, Plus } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Client } from 'tiding/client';
import type { InterpreterSetting } from 'tiding/protocol';
import { clientView } from '../runtime/client-view.tsx';
import { useEvent, useSelect } from '../runtime/hooks.ts';
import { useStore } from '../runtime/store.ts';
import { fill, text } from '../text/en.ts';
import { Button } from '../ui/button.tsx';
import {
  Empty,
  FilterField,
  isRefused,
  LoadProblem,
  NoMatch,
  Page,
  pageSheet,
  useLoaded,
  type Loaded,
} from '../ui/page.tsx';
import { useToasts } from '../ui/toasts.tsx';
import sheet from './interpreters.css';
import { useMayLeave } from './may-leave.ts';
import { RepositoriesDialog } from './repositories.tsx';
import { CreateForm } from './setting-form.tsx';
import { isBroken, SettingRow } from './setting-row.tsx';
import { SettingsPage } from './settings-page.ts';
import { useQuestion } from './use-question.tsx';
import { matches } from './words.ts';

const t = text.interpreters;
/** Rest after the last key before the list is filtered, ms (specification). */
const FILTER_MS = 300;
/** How often the list is read again while dependencies come, ms (specification). */
const POLL_MS = 2_000;
const TOAST_MS = 6_000;

export const sheets: readonly string[] = [pageSheet, sheet];

/** What is typed outlives a view that is drawn anew, for example with other texts. */
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
  const [toast, toasts] = useToasts(TOAST_MS, 'corner');
  const [ask, question] = useQuestion();
  const [filter, setFilter] = useState('');
  const [repositories, setRepositories] = useState(false);
  const creating = useStore(page.state, (state) => state.creating);
  useSelect(client, ({ session }) => session.ticket?.principal, undefined);
  const { signedIn } = page;
  const all = useMemo(
    () => [...(loaded.value ?? [])].sort((a, b) => a.name.localeCompare(b.name)),
    [loaded.value],
  );
  const shown = useMemo(
    () => new Set(all.filter((setting) => matches(setting, filter))),
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
  // Before anything can be pressed.
  useMemo(
    () => page.attach({ ask, toast, changed, settings }),
    [page, ask, toast, changed, settings],
  );
  useMayLeave(
    host,
    () => page.dirty,
    async () => {
      const leaves = await page.mayDiscard();
      if (leaves) page.discard();
      return leaves;
    },
  );
  useDownloads(loaded);
  // The form of a new setting takes the focus with it when it goes.
  const wasCreating = useRef(false);
  useEffect(() => {
    if (
      wasCreating.current &&
      !creating &&
      page.state.get().focusOn === undefined &&
      !host.shadowRoot?.activeElement
    )
      host.shadowRoot?.querySelector<HTMLElement>('.page-head .primary')?.focus();
    wasCreating.current = creating !== undefined;
  }, [creating, host, page]);
  useBroken(loaded.value, (message) => toast('danger', message, undefined, true));

  const refused = loaded.error !== undefined && isRefused(loaded.error);
  return (
    <Page
      title={t.title}
      actions={
        refused || !loaded.value ? null : (
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
      {refused || !loaded.value ? null : (
        <>
          <div className="page-tools">
            <FilterField label={t.filter} value={filter} delay={FILTER_MS} onValue={setFilter} />
          </div>
          {creating ? <CreateForm page={page} creating={creating} signedIn={signedIn} /> : null}
          {shown.size === 0 ? <None all={all.length === 0} onClear={() => setFilter('')} /> : null}
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

function None({ all, onClear }: { all: boolean; onClear: () => void }) {
  if (all) return <Empty>{t.none}</Empty>;
  return <NoMatch onClear={onClear} />;
}

/** Reads the list again as long as dependencies come, also after a try that failed. */
function useDownloads({
  value,
  error,
  loading,
  reload,
}: Loaded<readonly InterpreterSetting[]>): void {
  const downloading = value?.some(({ status }) => status === 'DOWNLOADING_DEPENDENCIES') ?? false;
  useEffect(() => {
    if (!downloading || loading) return undefined;
    const timer = setTimeout(() => void reload(), POLL_MS);
    return () => clearTimeout(timer);
    // An answer that comes at once is one drawing with its question: what tells it apart is the answer.
  }, [downloading, loading, reload, value, error]);
}

/** Tells of each setting that could not be made ready, once for each reason; again when it was well in between. */
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
