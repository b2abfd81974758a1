/** Who else is on a note: in the bar, and on the paragraph that somebody is in. Told by name and shape, not by colour alone. */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Client, NoteState } from 'tiding/client';
import { carryOffset } from 'tiding/model';
import type { Caret, EditorPresence } from '../../editor/index.ts';
import { useSelect } from '../../runtime/hooks.ts';
import { fill } from '../../text/en.ts';
import { together as t } from '../../text/together.ts';
import type { NoteView } from '../view.tsx';

interface Person {
  readonly name: string;
  readonly color: number;
  readonly paragraphId?: string | undefined;
}

/** Avatars that have a place of their own. */
const SHOWN = 4;
/** People come and go in a crowd: what is said of it waits this long, in ms, and is said once. */
const QUIET_MS = 1_500;

/** Everybody else once, whatever the server tells: with presence those of the other pages, else the names it has. */
function peopleOf(note: NoteState | undefined, self: string | undefined): Person[] {
  const known = new Map<string, Person>();
  for (const { name, color, paragraphId } of Object.values(note?.presence ?? {})) {
    if (!known.get(name)?.paragraphId)
      known.set(name, { name, color, ...(paragraphId === undefined ? {} : { paragraphId }) });
  }
  if (known.size === 0)
    for (const name of note?.collaborators ?? [])
      if (name !== self) known.set(name, { name, color: known.size % 8 });
  return [...known.values()];
}

const parsed = <Value,>(key: string): Value[] => (key === '' ? [] : (JSON.parse(key) as Value[]));
const keyOf = (list: readonly unknown[]): string => (list.length === 0 ? '' : JSON.stringify(list));

function initials(name: string): string {
  const [first = '', second] = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return (
    (second ? [...first][0]! + [...second][0]! : [...first].slice(0, 2).join('')).toUpperCase() ||
    '?'
  );
}

/** The row of the bar; a click goes to where somebody is. Who comes and goes is said politely, some at a time. */
export function People({ view }: { view: NoteView }) {
  const noteId = view.note.id;
  const key = useSelect(
    view.client,
    (state) => keyOf(peopleOf(state.open[noteId], state.session.ticket?.principal)),
    '',
  );
  const people = useMemo(() => parsed<Person>(key), [key]);
  const said = useAnnounced(people);
  const rest = people.slice(SHOWN);
  return (
    <>
      {people.length === 0 ? null : (
        <ul className="people" aria-label={t.people}>
          {people.slice(0, SHOWN).map((person) => (
            <li key={person.name}>
              <button
                type="button"
                className={`avatar person-${person.color}`}
                title={person.name}
                aria-label={fill(t.here, { name: person.name })}
                disabled={person.paragraphId === undefined}
                onClick={() => person.paragraphId !== undefined && view.show(person.paragraphId)}
              >
                <span className="initials" data-initials={initials(person.name)} />
              </button>
            </li>
          ))}
          {rest.length === 0 ? null : (
            <li className="people-more" title={rest.map(({ name }) => name).join(', ')}>
              {fill(t.more, { n: rest.length })}
            </li>
          )}
        </ul>
      )}
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </>
  );
}

function useAnnounced(people: readonly Person[]): string {
  const [said, setSaid] = useState('');
  const told = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    const timer = setTimeout(() => {
      const before = told.current ?? new Set<string>();
      const now = new Set(people.map(({ name }) => name));
      told.current = now;
      const names = (some: Iterable<string>, not: ReadonlySet<string>) =>
        [...some].filter((name) => !not.has(name)).join(', ');
      const [came, left] = [names(now, before), names(before, now)];
      setSaid(
        [came && fill(t.came, { names: came }), left && fill(t.left, { names: left })]
          .filter(Boolean)
          .join('. '),
      );
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [people]);
  return said;
}

/** Names of those whose cursor is in a paragraph. */
export function ParagraphPeople({
  client,
  noteId,
  id,
}: {
  client: Client;
  noteId: string;
  id: string;
}) {
  const key = useSelect(
    client,
    (state) =>
      keyOf(
        Object.values(state.open[noteId]?.presence ?? {})
          .filter(({ paragraphId }) => paragraphId === id)
          .map(({ name, color }) => ({ name, color })),
      ),
    '',
  );
  if (key === '') return null;
  return (
    <span className="paragraph-people">
      {parsed<Person>(key)
        .slice(0, SHOWN)
        .map(({ name, color }, at) => (
          <span
            key={`${name}${at}`}
            className={`person-chip person-${color}`}
            title={fill(t.editing, { name })}
          >
            <i className={`avatar person-${color}`} aria-hidden="true" />
            {name}
          </span>
        ))}
    </span>
  );
}

/** What an editor shows of the others and tells of itself; the same object until a cursor moves. */
export function usePresence(view: NoteView, id: string): EditorPresence {
  const { client, note } = view;
  const key = useSelect(
    client,
    (state) =>
      keyOf(
        Object.values(state.open[note.id]?.presence ?? {})
          .filter(({ paragraphId, head }) => paragraphId === id && head !== undefined)
          .map(({ connection, name, color, anchor, head }) => ({
            id: connection,
            name,
            color,
            anchor: anchor ?? head!,
            head: head!,
          })),
      ),
    '',
  );
  return useMemo(() => {
    const state = view.paragraph(id)?.state;
    // Theirs are offsets into what the server has; here unsaved text may stand before them. From then on the editor keeps them in place.
    const carry = (offset: number) =>
      state?.draft === undefined
        ? offset
        : carryOffset(state.server.text ?? '', state.draft, offset);
    const carets = parsed<Caret>(key).map((caret) => ({
      ...caret,
      anchor: carry(caret.anchor),
      head: carry(caret.head),
    }));
    return { carets, onSelect: (anchor, head) => view.place(id, anchor, head) };
  }, [key, view, id]);
}
