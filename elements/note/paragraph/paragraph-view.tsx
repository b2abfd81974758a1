import type { Client, Note } from '@tiding/client';
import { isRunning, noteTitle } from '@tiding/client/model';
import { ArrowLeft } from 'lucide-react';
import {
  type ComponentType,
  type EffectCallback,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { resultSheets } from '../../result/index.ts';
import { useSpellsOfOthers } from '../../result/packages/use-spells.ts';
import { appUrl } from '../../runtime/app-url.ts';
import { useHostClient } from '../../runtime/client-view.tsx';
import { emitEvent, type ViewProps } from '../../runtime/define-element.ts';
import {
  HostContext,
  PortalNameContext,
  type ServerMessage,
  useHostNote,
} from '../../runtime/hooks.ts';
import { createLazyValue, type LazyValue } from '../../runtime/lazy-value.ts';
import { emitShown, wasReady } from '../../runtime/snapshots/first-view.ts';
import { useSheets } from '../../runtime/use-sheets.ts';
import { commonTexts } from '../../text/common.ts';
import { fill } from '../../text/fill.ts';
import { Icon } from '../../ui/button.tsx';
import { WhenLoaded } from '../../ui/lazy.tsx';
import { LoadFailed, Loading } from '../../ui/loading.tsx';
import { InsufficientDialog } from '../../ui/refusal-dialogs.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { Announcements } from '../announcements.tsx';
import { OpenDialog } from '../open-dialog.tsx';
import { PageEffects } from '../page-effects.tsx';
import presenceSheet from '../presence/presence.css';
import { singleTexts } from '../texts.ts';
import { createNoteUi, lockedOf, NoteUiContext, useNoteState, useNoteUi } from '../ui/note-ui.ts';
import { useRights } from '../ui/use-rights.ts';
import { BareParagraph, type CardProps } from './bare-card.tsx';
import type { CodeProps } from './code-part.tsx';
import formsSheet from './forms.css';
import { isBare, type Look } from './look.ts';
import looksSheet from './looks.css';
import sheet from './paragraph.css';
import { OnlineContext } from './use-paragraph.ts';
import { useParagraphMethods } from './use-paragraph-methods.ts';

/** Style sheets of elements that show paragraphs, without those of their code. */
export const paragraphSheets = [sheet, formsSheet, looksSheet, presenceSheet, ...resultSheets];

/**
 * Placeholder while a note is loading or can't be opened. `whole`: on a page for a whole note,
 * whose title is the page's heading. `asks`: a missing right is also shown as a dialog, with the
 * choices of the specification.
 */
export function NotePlaceholder({
  client,
  host,
  noteId,
  server,
  whole,
  asks,
  error,
  onRetry,
}: {
  client: Client | undefined;
  host: HTMLElement;
  noteId: string;
  server?: string | undefined;
  whole?: boolean;
  asks: boolean;
  error: { code: string; message: string } | undefined;
  onRetry: () => void;
}) {
  const [closed, setClosed] = useState<object>();
  if (!client)
    return (
      <p className="element-message">
        {server === undefined ? commonTexts.noServer : commonTexts.noToken}
      </p>
    );
  if (!error) return <Loading lines />;
  const words = (
    <b>
      {error.code === 'signed-out'
        ? commonTexts.signedOut
        : error.code === 'forbidden'
          ? commonTexts.insufficient
          : commonTexts.noteMissing}
    </b>
  );
  return (
    <LoadFailed onRetry={onRetry}>
      {whole ? <h1>{words}</h1> : words}
      <span>{error.code === 'signed-out' ? '' : error.message}</span>
      {asks && error.code === 'forbidden' && closed !== error ? (
        <HostContext value={host}>
          <InsufficientDialog
            client={client}
            message={error.message}
            onClose={() => setClosed(error)}
            onLogin={(message) => emitEvent(host, 'tiding-sign-in-wanted', { message })}
            onCancel={() => emitEvent(host, 'tiding-note-left', { noteId })}
          />
        </HostContext>
      ) : null}
    </LoadFailed>
  );
}

/** Emits events when the paragraph's run starts and finishes. */
function useRunEvents(
  host: HTMLElement,
  status: string | undefined,
  noteId: string,
  paragraphId: string,
): void {
  const before = useRef(status);
  useEffect(() => {
    const was = isRunning(before.current);
    before.current = status;
    if (isRunning(status) && !was) emitEvent(host, 'tiding-run-started', { noteId, paragraphId });
    // A paragraph that was removed during its run has no status.
    if (!isRunning(status) && was)
      emitEvent(host, 'tiding-run-finished', { noteId, paragraphId, status: status ?? 'ABORT' });
  }, [host, status, noteId, paragraphId]);
}

interface CardModule {
  readonly Card: ComponentType<CardProps>;
}
const bareModule: CardModule = { Card: BareParagraph };
/** Title, forms and result. */
const bare: LazyValue<CardModule> = { now: () => bareModule, load: async () => bareModule };
/** A paragraph with its bars, and without its code. */
const withBars = createLazyValue<CardModule>(async () => {
  const { ParagraphCard } = await import('./paragraph-card.tsx');
  return { Card: ParagraphCard };
});
const withCode = (
  Paragraph: typeof import('./paragraph-card.tsx').ParagraphCard,
  Code: ComponentType<CodeProps>,
  sheets: readonly string[],
) =>
  function Card(props: CardProps) {
    useSheets(sheets);
    return <Paragraph {...props} Code={Code} />;
  };
/** A paragraph with its bars and its code. */
const whole = createLazyValue<CardModule>(async () => {
  const [{ ParagraphCard }, { CodePart, codeSheets }] = await Promise.all([
    import('./paragraph-card.tsx'),
    import('./code-part.tsx'),
  ]);
  return { Card: withCode(ParagraphCard, CodePart, codeSheets) };
});
/** A paragraph with its bars and code that an embed token doesn't allow to change. */
const fixed = createLazyValue<CardModule>(async () => {
  const [{ ParagraphCard }, { FixedCodePart, fixedCodeSheets }] = await Promise.all([
    import('./paragraph-card.tsx'),
    import('./fixed-code-part.tsx'),
  ]);
  return { Card: withCode(ParagraphCard, FixedCodePart, fixedCodeSheets) };
});
const cardOf = (
  look: Look,
  host: HTMLElement,
  client: Client | undefined,
): LazyValue<CardModule> => {
  if (isBare(look)) return bare;
  if (look === 'focus') return withBars;
  // Only readers have a first view; a page may set another token later.
  return wasReady(host) && client?.session.current?.scope !== 'edit' ? fixed : whole;
};

interface ParagraphValues {
  note?: string;
  paragraph?: string;
  look?: Look;
  locked?: unknown;
  portal?: string;
  server?: string;
}

export default function ParagraphView(props: ViewProps) {
  const client = useHostClient(props);
  const values = props.values as ParagraphValues;
  const { note: noteId, paragraph: id, look = 'default', locked, portal, server } = values;
  const { note, error, retry, early } = useHostNote(props.host, client, noteId);
  const card = cardOf(look, props.host, client);
  // Loaded while the note is being opened. The paragraph shows a failure.
  useEffect(() => {
    card.load().catch(() => {});
  }, [card]);
  if (!noteId || !id) return <p className="element-message">{commonTexts.noNote}</p>;
  if (!client || !note)
    return (
      <NotePlaceholder
        host={props.host}
        noteId={noteId}
        asks={look === 'focus'}
        {...{ client, server, error, onRetry: retry }}
      />
    );
  return (
    <HostContext value={props.host}>
      <PortalNameContext value={portal}>
        <OneParagraph {...{ client, note, id, look, locked, early }} host={props.host} />
      </PortalNameContext>
    </HostContext>
  );
}

interface OneParagraphProps {
  client: Client;
  note: Note;
  id: string;
  look: Look;
  locked: unknown;
  host: HTMLElement;
  early: ServerMessage[];
}

function OneParagraph({ client, note, id, look: wanted, locked, host, early }: OneParagraphProps) {
  const [toast, toasts] = useToasts(3_000, 'center');
  const ui = useMemo(
    () => createNoteUi(client, note, host, { single: true, toast }),
    [client, note, host, toast],
  );
  const status = useNoteState(ui, (now) => now?.paragraphs[id]?.server.status);
  const online = useNoteState(ui, (now) => now?.connection === 'open');
  const there = useNoteState(ui, (now) => now?.paragraphs[id] !== undefined);
  const path = useNoteState(ui, (now) => now?.path ?? '');
  // On its own page, the paragraph uses the note's layout only if that is view-only.
  const look = useNoteState(ui, (now) =>
    wanted === 'focus' && now?.config.looknfeel === 'report' ? 'report' : wanted,
  );
  useEffect(() => {
    ui.layout.state.set({ look });
    ui.locked.set({ values: lockedOf(locked) });
  }, [ui, look, locked]);
  useEffect(() => {
    void emitEvent(host, 'tiding-note-path', { noteId: note.id, path });
  }, [host, note, path]);
  useRights(ui);
  useRunEvents(host, status, note.id, id);
  useSpellsOfOthers(client, note);
  useParagraphMethods(ui, id);
  const onReady = useCallback(
    () => (wasReady(host) ? undefined : emitShown(host, { noteId: note.id, paragraphId: id })),
    [host, note, id],
  );
  if (!there)
    return (
      <p className="element-message" role="alert">
        {fill(commonTexts.paragraphMissing, { id })}
      </p>
    );
  return (
    <NoteUiContext value={ui}>
      {wanted === 'focus' ? <BackLink path={path} /> : null}
      <OnlineContext value={online}>
        <WhenLoaded of={cardOf(look, host, client)}>
          {({ Card }) => (
            <>
              <Card id={id} look={look} />
              <Ready onReady={onReady} />
            </>
          )}
        </WhenLoaded>
      </OnlineContext>
      <Announcements />
      <OpenDialog />
      <PageEffects early={early} />
      {toasts}
    </NoteUiContext>
  );
}

/** Calls `onReady` once the paragraph beside it is on the page. */
function Ready({ onReady }: { onReady: EffectCallback }) {
  useEffect(onReady, [onReady]);
  return null;
}

/** Link back to the note from a paragraph on its own page. */
function BackLink({ path }: { path: string }) {
  const ui = useNoteUi();
  const { client, note, host } = ui;
  const name = noteTitle({ id: note.id, name: path });
  return (
    <nav className="single-head">
      <a
        href={`${appUrl(client)}#/notebook/${note.id}`}
        title={path}
        aria-label={fill(singleTexts.back, { name })}
        onClick={(event) =>
          !event.ctrlKey &&
          !event.metaKey &&
          !event.shiftKey &&
          !emitEvent(host, 'tiding-open-note', { noteId: note.id }) &&
          event.preventDefault()
        }
      >
        <Icon of={ArrowLeft} size="sm" />
        {name}
      </a>
    </nav>
  );
}

export const sheets = paragraphSheets;
