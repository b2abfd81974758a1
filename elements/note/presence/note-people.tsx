import { useEffect, useMemo, useRef, useState } from 'react';
import { useSelect } from '../../runtime/hooks.ts';
import { fill } from '../../text/fill.ts';
import { useNoteUi } from '../ui/note-ui.ts';
import { keyOf, MAX_AVATARS, type Person, parsed, peopleOf } from './people.ts';
import { collaborationTexts as t } from './texts.ts';
import { useFollow } from './use-follow.ts';

/** Arrivals and departures within this time are announced together, in ms. */
const ANNOUNCE_DELAY_MS = 1_500;

function initials(name: string): string {
  const [first = '', second] = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  return (
    (second ? [...first][0]! + [...second][0]! : [...first].slice(0, 2).join('')).toUpperCase() ||
    '?'
  );
}

/**
 * Avatars of the other users in the bar, each with a name and a shape, not only a colour. A click
 * follows the user to the paragraph they work in. Arrivals and
 * departures are announced politely, in batches.
 */
export default function NotePeople() {
  const ui = useNoteUi();
  const noteId = ui.note.id;
  const key = useSelect(
    ui.client,
    (state) => keyOf(peopleOf(state.open[noteId], state.session.ticket?.principal)),
    '',
  );
  const people = useMemo(() => parsed<Person>(key), [key]);
  const list = useRef<HTMLUListElement>(null);
  const [followed, follow] = useFollow(ui, people, list);
  const said = useAnnounced(people);
  const rest = people.slice(MAX_AVATARS);
  return (
    <>
      {people.length === 0 ? null : (
        <ul ref={list} className="people" aria-label={t.people}>
          {people.slice(0, MAX_AVATARS).map((person) => (
            <li key={person.name}>
              <button
                type="button"
                className={`avatar person-${person.color}`}
                title={fill(followed === person.name ? t.following : t.follow, {
                  name: person.name,
                })}
                aria-pressed={followed === person.name}
                aria-label={fill(t.here, { name: person.name })}
                disabled={person.paragraphId === undefined}
                onClick={() => follow(followed === person.name ? undefined : person.name)}
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
        {followed === undefined ? said : fill(t.following, { name: followed })}
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
    }, ANNOUNCE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [people]);
  return said;
}
