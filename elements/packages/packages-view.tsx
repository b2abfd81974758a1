import type { Client } from '@tiding/client';
import type { HeliumEntry } from '@tiding/client/protocol';
import { RefreshCw } from 'lucide-react';
import { useMemo, useState } from 'react';
import { clientView } from '../runtime/client-view.tsx';
import { useEvent } from '../runtime/hooks.ts';

import { fill } from '../text/fill.ts';
import { Button } from '../ui/button.tsx';
import { chooseTab } from '../ui/choice-keys.ts';
import { useQuestion } from '../ui/dialogs.tsx';
import {
  EmptyState,
  entriesOnPage,
  LoadProblem,
  Page,
  Pager,
  pageSheet,
  serverMessageOf,
  useLoaded,
} from '../ui/page.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { isLocal, type PackageType, packageTypes, rowsByType } from './catalogue.ts';
import { DisplayOrder } from './display-order.tsx';
import { InstallDialog, TurnDialog } from './enable-dialog.tsx';
import { PackageTableRow } from './package-row.tsx';
import sheet from './packages.css';
import { packageTexts as t } from './texts.ts';

export const sheets = [pageSheet, sheet];

export default clientView(Packages);

/** The open dialog. */
interface Over {
  readonly kind: 'enable' | 'disable' | 'install';
  readonly entry: HeliumEntry;
}

function Packages({ client, host }: { client: Client; host: HTMLElement }) {
  const loaded = useLoaded(client, async ({ packages }) => {
    // A server that can't return the order still has packages.
    const [all, order] = await Promise.all([packages.list(), packages.order().catch(() => [])]);
    return { all, order };
  });
  const [type, setType] = useState<PackageType>('VISUALIZATION');
  const [wanted, setWanted] = useState(1);
  const [over, setOver] = useState<Over>();
  const [busy, setBusy] = useState(false);
  const [changed, setChanged] = useState(false);
  const [toast, toasts] = useToasts();
  const [confirm, question] = useQuestion();
  const { value } = loaded;
  const rows = useMemo(() => value && rowsByType(value.all), [value]);
  const order = useMemo(() => {
    const on = new Set(
      (rows?.VISUALIZATION ?? [])
        .filter(({ shown }) => shown.enabled === true)
        .map(({ name }) => name),
    );
    return (value?.order ?? []).filter((name) => on.has(name));
  }, [rows, value]);

  const fail = (error: unknown, title: string) =>
    void confirm({ title, text: serverMessageOf(error, title) });
  const turn = async (entry: HeliumEntry, on: boolean): Promise<void> => {
    const { name, artifact, type: kind } = entry.pkg;
    setBusy(true);
    try {
      if (on) await client.packages.enable(name, artifact ?? '', kind);
      else await client.packages.disable(name, artifact ?? undefined);
      setChanged(true);
      await loaded.reload();
    } catch (error) {
      fail(error, on ? t.enableFailed : t.disableFailed);
    }
    setOver(undefined);
    setBusy(false);
  };
  const saveOrder = async (names: readonly string[]): Promise<boolean> => {
    try {
      // Disabled packages keep their place after the others.
      const all = [...names, ...(value?.order ?? []).filter((name) => !names.includes(name))];
      await client.packages.setOrder(all);
      loaded.set((before) => before && { ...before, order: all });
      setChanged(true);
      return true;
    } catch (error) {
      fail(error, t.orderFailed);
      return false;
    }
  };
  const onEnable = useEvent((entry: HeliumEntry) =>
    setOver({ kind: entry.pkg.type === 'INTERPRETER' ? 'install' : 'enable', entry }),
  );
  const onDisable = useEvent((entry: HeliumEntry) => setOver({ kind: 'disable', entry }));
  const onSaved = useEvent((name: string) => {
    setChanged(true);
    toast('success', fill(t.configSaved, { name }));
  });

  const some = rows?.[type] ?? [];
  const { shown, page } = entriesOnPage(some, wanted);
  return (
    <Page title={t.title}>
      <LoadProblem host={host} loaded={loaded} fallback={t.failed} />
      {rows ? (
        <>
          <Tabs rows={rows} type={type} onType={(next) => (setType(next), setWanted(1))} />
          <div role="tabpanel" id="packages" aria-labelledby={`type-${type}`}>
            {changed ? (
              <p className="package-changed" role="status">
                <span>{t.afterReload}</span>
                <Button
                  size="sm"
                  kind="secondary"
                  icon={RefreshCw}
                  onClick={() => location.reload()}
                >
                  {t.reload}
                </Button>
              </p>
            ) : null}
            {type === 'VISUALIZATION' && order.length > 1 ? (
              <DisplayOrder names={order} onSave={saveOrder} />
            ) : null}
            {some.length === 0 ? (
              <div className="card">
                <EmptyState>{t.none}</EmptyState>
              </div>
            ) : (
              <>
                <ul
                  className="card packages"
                  aria-label={fill(t.list, { type: t.types[type] ?? type })}
                >
                  {shown.map((row) => (
                    <PackageTableRow
                      key={row.name}
                      client={client}
                      host={host}
                      row={row}
                      onEnable={onEnable}
                      onDisable={onDisable}
                      onSaved={onSaved}
                    />
                  ))}
                </ul>
                {some.some((row) => isLocal(row.shown)) ? (
                  <p className="package-hint dim">{t.localHint}</p>
                ) : null}
                <Pager page={page} total={some.length} onPage={setWanted} />
              </>
            )}
          </div>
        </>
      ) : null}
      {over?.kind === 'install' ? (
        <InstallDialog entry={over.entry} onClose={() => setOver(undefined)} />
      ) : over ? (
        <TurnDialog
          entry={over.entry}
          on={over.kind === 'enable'}
          busy={busy}
          onConfirm={() => void turn(over.entry, over.kind === 'enable')}
          onClose={() => setOver(undefined)}
        />
      ) : null}
      {question}
      {toasts}
    </Page>
  );
}

interface TabsProps {
  rows: Readonly<Record<PackageType, readonly unknown[]>>;
  type: PackageType;
  onType: (type: PackageType) => void;
}

/** The package types, each with its number of packages. */
function Tabs({ rows, type, onType }: TabsProps) {
  return (
    <div
      className="package-tabs"
      role="tablist"
      aria-label={t.tabs}
      onKeyDown={(event) =>
        chooseTab(event, packageTypes.indexOf(type), packageTypes.length, (at) =>
          onType(packageTypes[at]!),
        )
      }
    >
      {packageTypes.map((each) => (
        <button
          key={each}
          id={`type-${each}`}
          type="button"
          role="tab"
          aria-selected={each === type}
          aria-controls="packages"
          tabIndex={each === type ? 0 : -1}
          onClick={() => onType(each)}
        >
          <span className="package-type">{t.types[each]}</span>
          <span className="count">{rows[each].length}</span>
        </button>
      ))}
    </div>
  );
}
