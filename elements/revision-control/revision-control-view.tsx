import { type Client, isHttpError, isTidingError } from '@tiding/client';
import { formatDate } from '@tiding/client/model';
import type { RevisionControl as Configuration } from '@tiding/client/protocol';
import { CircleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { clientView } from '../runtime/client-view.tsx';
import { useEvent, useSelect } from '../runtime/hooks.ts';
import { fill } from '../text/fill.ts';
import { Button, Icon } from '../ui/button.tsx';
import { useQuestion } from '../ui/dialogs.tsx';
import { onSubmit } from '../ui/fields/form-events.ts';
import { type LabelledFieldProps, textFields } from '../ui/fields/labelled.tsx';
import {
  EmptyState,
  isRefused,
  LoadProblem,
  Page,
  pageSheet,
  serverMessageOf,
  useLoaded,
} from '../ui/page.tsx';
import { useToasts } from '../ui/toasts.tsx';
import sheet from './revision-control.css';
import { revisionControlTexts as t } from './texts.ts';

export const sheets = [pageSheet, sheet];

export default clientView(Remote);

interface Fields {
  readonly remoteUrl: string;
  readonly userName: string;
  readonly accessToken: string;
}

const fieldsOf = (configuration: Configuration | undefined): Fields => ({
  remoteUrl: configuration?.remoteUrl ?? '',
  userName: configuration?.userName ?? '',
  accessToken: configuration?.accessToken ?? '',
});

/** The remote configuration, or why there can be none. */
type Loaded = { lacking: string } | { configuration: Configuration | undefined };

async function read(client: Client): Promise<Loaded> {
  const known = client.state.configurations ?? (await client.notes.configurations());
  if (String(known['isRevisionSupported']) !== 'true') return { lacking: t.notSupported };
  try {
    return { configuration: await client.revisionControl.get() };
  } catch (error) {
    // A Zeppelin keeps revisions, but has no call for a remote.
    if (isTidingError(error, 'unsupported')) return { lacking: t.noRemote };
    throw error;
  }
}

function Remote({ client, host }: { client: Client; host: HTMLElement }) {
  const loaded = useLoaded(client, read);
  const [typed, setTyped] = useState<Partial<Fields>>({});
  const [busy, setBusy] = useState<'saving' | 'syncing' | 'removing'>();
  const [problem, setProblem] = useState<string>();
  const [confirm, question] = useQuestion();
  const [brief, briefToasts] = useToasts(3_000, 'corner');
  const [toast, toasts, clear] = useToasts();
  const canSync = useSelect(client, (state) => state.server?.tiding !== undefined, false);
  const { value, error, reload } = loaded;
  const configuration = value && 'configuration' in value ? value.configuration : undefined;
  const fields = { ...fieldsOf(configuration), ...typed };

  useEffect(() => {
    if (error !== undefined && !isRefused(error)) brief('danger', t.notRead);
  }, [error, brief]);
  // A sync started by another user or by the server may have removed the configuration.
  const working = useRef(false);
  working.current = busy !== undefined;
  const ended = useEvent(() => void (working.current || reload()));
  useEffect(() => {
    const offs = [client.on('REPO_SYNC_SUCCESS', ended), client.on('REPO_SYNC_ERROR', ended)];
    return () => offs.forEach((off) => off());
  }, [client, ended]);

  /** Runs one action at a time. */
  const run = async (what: NonNullable<typeof busy>, act: () => Promise<void>): Promise<void> => {
    if (busy) return;
    setBusy(what);
    setProblem(undefined);
    clear();
    await act();
    setBusy(undefined);
  };
  const save = () =>
    run('saving', async () => {
      const wanted = {
        remoteUrl: fields.remoteUrl.trim(),
        userName: fields.userName.trim(),
        accessToken: fields.accessToken,
      };
      if (Object.values(wanted).some((each) => each.trim() === '')) return setProblem(t.blank);
      try {
        const info = await client.revisionControl.save(wanted);
        setTyped({});
        toast('success', info === undefined ? t.applied : `${t.applied}\n${info}`);
        await reload();
      } catch (failure) {
        if (isTidingError(failure, 'timeout')) toast('danger', t.timedOut);
        else if (isTidingError(failure, 'server') && !isHttpError(failure)) {
          toast('danger', t.syncError);
          setProblem(failure.message);
          // A configuration that failed is removed (specification), while the fields keep the typed
          // values. This project's server removes it by itself.
          if (!canSync) await client.revisionControl.remove().catch(() => {});
          setTyped({
            ...fields,
            accessToken:
              fields.accessToken === configuration?.accessToken ? '' : fields.accessToken,
          });
          await reload();
        } else {
          toast('danger', t.notSaved);
          setProblem(serverMessageOf(failure, t.notSaved));
        }
      }
    });
  const sync = () =>
    run('syncing', async () => {
      try {
        const info = await client.revisionControl.sync();
        toast('success', info === undefined ? t.synced : `${t.synced}\n${info}`);
      } catch (failure) {
        toast('danger', isTidingError(failure, 'timeout') ? t.timedOut : t.notSynced);
        if (!isTidingError(failure, 'timeout')) setProblem(serverMessageOf(failure, t.notSynced));
      }
    });
  const remove = async () => {
    const { removeQuestion: title, removeText: text, remove: action } = t;
    if (!(await confirm({ title, text, action, danger: true }))) return;
    await run('removing', async () => {
      try {
        await client.revisionControl.remove();
        setTyped({});
        toast('success', t.removed);
        await reload();
      } catch (failure) {
        toast('danger', t.notRemoved);
        setProblem(serverMessageOf(failure, t.notRemoved));
      }
    });
  };

  const state =
    busy === 'saving'
      ? t.saving
      : busy === 'syncing'
        ? t.syncing
        : configuration
          ? t.configured
          : t.notConfigured;
  const text = textFields(fields, (part) => setTyped((before) => ({ ...before, ...part })));
  const field = (name: keyof Fields, label: string, more: Partial<LabelledFieldProps> = {}) =>
    text(name, label, { name, disabled: busy !== undefined, 'aria-required': true, ...more });
  return (
    <Page title={t.title}>
      <LoadProblem host={host} loaded={loaded} fallback={t.notRead} />
      {value && 'lacking' in value ? <EmptyState>{value.lacking}</EmptyState> : null}
      {value && 'configuration' in value ? (
        <>
          <p className="remote-lead">{t.lead}</p>
          <form
            className="card remote"
            aria-label={t.title}
            aria-busy={busy !== undefined}
            onSubmit={onSubmit(save)}
          >
            <span className={configuration && !busy ? 'badge success' : 'badge'} role="status">
              {state}
            </span>
            <LastSync configuration={configuration} />
            {field('remoteUrl', t.remoteUrl, { hint: t.remoteHint })}
            {field('userName', t.userName)}
            {field('accessToken', t.accessToken, {
              type: 'password',
              // Select the mask as a whole: text typed into it would not be a valid token.
              onFocus: ({ target }) => target.select(),
              ...(configuration ? { hint: t.tokenHint } : {}),
            })}
            {problem === undefined ? null : (
              <p className="alert" role="alert">
                <Icon of={CircleAlert} size="sm" />
                <span>{problem}</span>
              </p>
            )}
            <div className="remote-actions">
              <Button
                kind="primary"
                type="submit"
                busy={busy === 'saving'}
                disabled={busy !== undefined}
              >
                {t.save}
              </Button>
              {configuration && canSync ? (
                <Button
                  kind="secondary"
                  busy={busy === 'syncing'}
                  disabled={busy !== undefined}
                  onClick={() => void sync()}
                >
                  {t.sync}
                </Button>
              ) : null}
              {configuration ? (
                <Button
                  kind="danger-quiet"
                  busy={busy === 'removing'}
                  disabled={busy !== undefined}
                  onClick={() => void remove()}
                >
                  {t.remove}
                </Button>
              ) : null}
            </div>
          </form>
        </>
      ) : null}
      {question}
      {briefToasts}
      {toasts}
    </Page>
  );
}

/** Result of the last sync, if the server reports it. */
function LastSync({ configuration }: { configuration: Configuration | undefined }) {
  const { ok, time, info } = configuration?.sync ?? {};
  if (ok === undefined || time === undefined) return null;
  const at = formatDate(new Date(time), 'MMMM Do YYYY, h:mm:ss a');
  return (
    <p className={ok ? 'hint' : 'hint error'}>
      {fill(ok ? t.lastSynced : t.lastFailed, { date: at })}
      {info ? ` ${info}` : ''}
    </p>
  );
}
