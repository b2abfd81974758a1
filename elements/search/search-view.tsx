import type { Client } from '@tiding/client';
import { useMemo } from 'react';
import { editorSheets, StaticCode } from '../editor/index.ts';
import { appUrl } from '../runtime/app-url.ts';
import { useHostClient } from '../runtime/client-view.tsx';
import { emitEvent, type ViewProps } from '../runtime/define-element.ts';
import { HostContext } from '../runtime/hooks.ts';
import { commonTexts } from '../text/common.ts';
import { fill } from '../text/fill.ts';
import { EmptyState, LoadProblem, Page, pageSheet, useLoaded } from '../ui/page.tsx';
import { type Hit, readHit } from './hits.ts';
import sheet from './search.css';
import { searchTexts as t } from './texts.ts';

export const sheets = [pageSheet, ...editorSheets, sheet];

export default function SearchView(props: ViewProps) {
  const client = useHostClient(props);
  const term = String(props.values['term'] ?? '').trim();
  if (!client) return <p className="element-note">{commonTexts.noServer}</p>;
  return (
    <HostContext value={props.host}>
      {term === '' ? (
        <EmptyState>{t.noTerm}</EmptyState>
      ) : (
        <Found key={term} client={client} host={props.host} term={term} />
      )}
    </HostContext>
  );
}

function Found({ client, host, term }: { client: Client; host: HTMLElement; term: string }) {
  const loaded = useLoaded(client, (asked) => asked.notes.search(term));
  const hits = useMemo(() => loaded.value?.map(readHit), [loaded.value]);
  return (
    <Page
      title={term}
      aside={
        hits && hits.length > 0
          ? t.found(hits.length, new Set(hits.map(({ noteId }) => noteId)).size)
          : undefined
      }
    >
      <LoadProblem host={host} loaded={loaded} fallback={t.failed} />
      {hits?.length === 0 ? <EmptyState>{fill(t.none, { term })}</EmptyState> : null}
      {hits && hits.length > 0 ? (
        <div className="hits">
          {hits.map((hit) => (
            <Card key={hit.id} client={client} host={host} hit={hit} term={term} />
          ))}
        </div>
      ) : null}
    </Page>
  );
}

interface CardProps {
  client: Client;
  host: HTMLElement;
  hit: Hit;
  term: string;
}

function Card({ client, host, hit, term }: CardProps) {
  const { noteId, paragraphId, header, snippet } = hit;
  const name = hit.name === '' ? fill(t.untitled, { id: noteId }) : hit.name;
  // The note opens with the term in its find box; for a term of several words, with the first text
  // that matched.
  const [mark] = snippet.marks;
  const sought =
    mark === undefined || snippet.text.toLowerCase().includes(term.toLowerCase())
      ? term
      : snippet.text.slice(mark.from, mark.to);
  const query =
    paragraphId === undefined
      ? ''
      : `?${new URLSearchParams({ paragraph: paragraphId, term: sought })}`;
  const open = (event: React.MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (
      !emitEvent(host, 'tiding-open-note', {
        noteId,
        ...(paragraphId === undefined ? {} : { paragraphId }),
      })
    )
      event.preventDefault();
  };
  return (
    <article className="card hit">
      <header>
        <h2>
          <a
            href={`${appUrl(client)}#/notebook/${encodeURIComponent(noteId)}${query}`}
            onClick={open}
          >
            {name}
          </a>
        </h2>
        {hit.folder === '' ? null : <span className="dim">{hit.folder}</span>}
      </header>
      {/* Horizontally scrollable content must be focusable, for keyboard users. */}
      <div
        className="hit-code"
        role="region"
        aria-label={fill(t.code, { name: header.text === '' ? name : `${name}, ${header.text}` })}
        tabIndex={0}
      >
        {header.text === '' ? null : (
          <>
            <div className="hit-header">
              <StaticCode text={header.text} marks={header.marks} />
            </div>
            <div className="hit-gap" aria-hidden="true">
              {'\n\n'}
            </div>
          </>
        )}
        <StaticCode text={snippet.text} language={hit.language} marks={snippet.marks} lineNumbers />
      </div>
    </article>
  );
}
