/**
 * The reader's decision whether scripts in a note's results may run. It is requested from the
 * server when the first result with scripts is displayed.
 */

import { type Client, type Output, outputText } from '@tiding/client';
import { isMarkdownHtml, markupTypes } from '@tiding/client/model';
import { ShieldAlert } from 'lucide-react';
import { type ReactNode, useEffect, useMemo } from 'react';
import { frameBase } from '../result/frames/frame-address.ts';
import { isEmbedded } from '../runtime/note-right.ts';
import { createViewStore, useViewStore, type ViewStore } from '../runtime/store.ts';
import { fill } from '../text/fill.ts';
import { Button, Icon } from '../ui/button.tsx';
import { trustTexts as t } from './texts.ts';
import { type NoteUi, useNoteUi } from './ui/note-ui.ts';

/**
 * Trust in a note. `known` is false until the request for it has settled. `local` means that the
 * server did not return a decision, so the reader's applies to this page only.
 */
interface TrustState {
  readonly requested: boolean;
  readonly trusted: boolean;
  readonly known: boolean;
  readonly local: boolean;
  readonly origin: string | undefined;
  readonly by: string | undefined;
}

const storesByClient = new WeakMap<Client, Map<string, ViewStore<TrustState>>>();

function trustOf({ client, note: { id } }: NoteUi): ViewStore<TrustState> {
  let notes = storesByClient.get(client);
  if (!notes) storesByClient.set(client, (notes = new Map()));
  let store = notes.get(id);
  if (!store)
    notes.set(
      id,
      (store = createViewStore<TrustState>({
        requested: false,
        trusted: false,
        known: false,
        local: false,
        origin: undefined,
        by: undefined,
      })),
    );
  return store;
}

function requestTrust(ui: NoteUi, store: ViewStore<TrustState>): void {
  if (store.get().requested) return;
  store.set({ requested: true });
  ui.client.call('getTrust', { params: { noteId: ui.note.id } }).then(
    ({ trusted, origin, by }) => store.set({ known: true, trusted, origin, by }),
    // The server is a Zeppelin server or unreachable. Scripts run only after the reader allows them
    // on this page.
    () => store.set({ known: true, local: true }),
  );
}

async function setTrust(ui: NoteUi, store: ViewStore<TrustState>, trusted: boolean): Promise<void> {
  if (!store.get().local)
    await ui.client.call('setTrust', { params: { noteId: ui.note.id }, body: { trusted } });
  store.set({ trusted });
}

const scriptPattern = /<script|\son[a-z]+\s*=|javascript:|<iframe|<object|<embed|srcdoc/i;

const angularPattern = /\{\{|[\s<](?:x-|data-)?ng[-:_]/i;

/** Whether an output is shown in a frame and contains scripts that would run there. */
function isActive(output: Output): boolean {
  if (!markupTypes.has(output.type)) return false;
  const html = outputText(output);
  // AngularJS templates count as scripts, because their expressions can call functions of the page.
  if (output.type === 'ANGULAR' && angularPattern.test(html)) return true;
  return scriptPattern.test(html) && !isMarkdownHtml(html);
}

/**
 * Returns the URL of the page for the frames of a paragraph's results (`undefined` while trust is
 * not known), and the strip shown above results that are not allowed to run scripts.
 */
export function useFrames(
  ui: NoteUi,
  outputs: readonly Output[],
): [frameUrl: string | undefined, strip: ReactNode] {
  const store = trustOf(ui);
  const trust = useViewStore(store, (state) => state);
  const active = useMemo(() => outputs.some(isActive), [outputs]);
  useEffect(() => {
    if (active) requestTrust(ui, store);
  }, [active, ui, store]);
  // Wait until trust is known. Rendering once without scripts and once with them would briefly show
  // a broken page.
  if (active && !trust.known) return [undefined, null];
  const frameUrl = `${frameBase(ui.client)}/output-frame/1${trust.trusted ? '' : '/still'}`;
  return [frameUrl, active && !trust.trusted ? <TrustStrip store={store} /> : null];
}

/** Notice that scripts are blocked and where the note comes from, with a button to allow them. */
function TrustStrip({ store }: { store: ViewStore<TrustState> }) {
  const ui = useNoteUi();
  const { origin, by, local } = store.get();
  const originText =
    by === undefined
      ? t.unknown
      : fill(origin === 'imported' ? t.imported : origin === 'copied' ? t.copied : t.made, {
          name: by,
        });
  const isVisitor = isEmbedded(ui.client);
  return (
    <div className="trust-strip in-row" role="note">
      <Icon of={ShieldAlert} />
      <span className="grow">{isVisitor || local ? t.off : originText}</span>
      {isVisitor ? null : (
        <Button
          size="sm"
          kind="secondary"
          onClick={() =>
            void ui.dialogs.confirm({ title: t.title, text: t.text, action: t.action }, () =>
              setTrust(ui, store, true),
            )
          }
        >
          {t.show}
        </Button>
      )}
    </div>
  );
}

/** Whether the note's scripts may run for the reader; `undefined` while this is not known. */
export const isTrusted = (ui: NoteUi): boolean | undefined =>
  trustOf(ui).get().known ? trustOf(ui).get().trusted : undefined;

/** Revokes the reader's trust in the note. */
export const distrust = (ui: NoteUi): Promise<void> => setTrust(ui, trustOf(ui), false);
