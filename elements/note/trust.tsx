/** Whether scripts in the results of a note run: the reader's decision, asked for where a result has any. */
import { ShieldAlert } from 'lucide-react';
import { useEffect, useMemo, type ReactNode } from 'react';
import { outputText, type Client, type Output } from 'tiding/client';
import { isMarkdown } from '../result/displays/html.tsx';
import { createStore, useStore, type Store } from '../runtime/store.ts';
import { fill, text } from '../text/en.ts';
import { Button, Icon } from '../ui/button.tsx';
import type { NoteView } from './view.tsx';

const t = text.trust;

/** What is known: nothing yet, the server's word, or that the server keeps no such list (`local`: the decision is this page's). */
interface Known {
  readonly asked: boolean;
  readonly trusted: boolean;
  readonly known: boolean;
  readonly local: boolean;
  readonly origin: string | undefined;
  readonly by: string | undefined;
}

/** Trust in the notes of a client, by note. */
const byClient = new WeakMap<Client, Map<string, Store<Known>>>();

function trustOf({ client, note: { id } }: NoteView): Store<Known> {
  let notes = byClient.get(client);
  if (!notes) byClient.set(client, (notes = new Map()));
  let store = notes.get(id);
  if (!store)
    notes.set(
      id,
      (store = createStore<Known>({
        asked: false,
        trusted: false,
        known: false,
        local: false,
        origin: undefined,
        by: undefined,
      })),
    );
  return store;
}

function ask(view: NoteView, store: Store<Known>): void {
  if (store.get().asked) return;
  store.set({ asked: true });
  view.client.call('getTrust', { params: { noteId: view.note.id } }).then(
    ({ trusted, origin, by }) => store.set({ known: true, trusted, origin, by }),
    // Another server, or one that cannot be asked: nothing runs before the reader says so, on this page.
    () => store.set({ known: true, local: true }),
  );
}

async function decide(view: NoteView, store: Store<Known>, trusted: boolean): Promise<void> {
  if (!store.get().local)
    await view.client.call('setTrust', { params: { noteId: view.note.id }, body: { trusted } });
  store.set({ trusted });
}

const script = /<script|\son[a-z]+\s*=|javascript:|<iframe|<object|<embed|srcdoc/i;

const template = /\{\{|[\s<](?:x-|data-)?ng[-:_]/i;

/** Whether an output is shown in a frame, and has something in it that would run there. */
export function isActive(output: Output): boolean {
  if (output.type !== 'HTML' && output.type !== 'ANGULAR') return false;
  const html = outputText(output);
  // A template is a program: its expressions call functions of the page it stands in.
  if (output.type === 'ANGULAR' && template.test(html)) return true;
  return script.test(html) && !isMarkdown(html);
}

/** The page in which frames of a paragraph's results are (`undefined`: not known yet), and what stands above results that are not allowed to run. */
export function useFrames(
  view: NoteView,
  outputs: readonly Output[],
): [frameUrl: string | undefined, strip: ReactNode] {
  const store = trustOf(view);
  const trust = useStore(store, (state) => state);
  const active = useMemo(() => outputs.some(isActive), [outputs]);
  useEffect(() => {
    if (active) ask(view, store);
  }, [active, view, store]);
  // Until it is known: drawing them once without scripts and once with would show a page that works and one that does not.
  if (active && !trust.known) return [undefined, null];
  const frameUrl = `${view.client.server}/output-frame/1${trust.trusted ? '' : '/still'}`;
  return [frameUrl, active && !trust.trusted ? <TrustStrip view={view} store={store} /> : null];
}

/** Says that scripts are off, who made the note, and lets the reader decide. */
function TrustStrip({ view, store }: { view: NoteView; store: Store<Known> }) {
  const { origin, by, local } = store.get();
  const words =
    by === undefined
      ? t.unknown
      : fill(origin === 'imported' ? t.imported : origin === 'copied' ? t.copied : t.made, {
          name: by,
        });
  const isVisitor = view.client.session.current?.principal.startsWith('embed:') ?? false;
  return (
    <div className="trust-strip" role="note">
      <Icon of={ShieldAlert} />
      <span className="grow">{isVisitor || local ? t.off : words}</span>
      {isVisitor ? null : (
        <Button
          size="sm"
          kind="secondary"
          onClick={() =>
            void view.confirm({ title: t.title, text: t.text, action: t.action }, () =>
              decide(view, store, true),
            )
          }
        >
          {t.show}
        </Button>
      )}
    </div>
  );
}

/** Whether scripts of the note run for the reader; `undefined` while nothing has asked. */
export const isTrusted = (view: NoteView): boolean | undefined =>
  trustOf(view).get().known ? trustOf(view).get().trusted : undefined;

/** Takes the decision back. */
export const distrust = (view: NoteView): Promise<void> => decide(view, trustOf(view), false);
