import type { Client } from '@tiding/client';
import { useSelect } from '../../runtime/hooks.ts';
import { fill } from '../../text/fill.ts';
import { keyOf, MAX_AVATARS, type Person, parsed } from './people.ts';
import { collaborationTexts as t } from './texts.ts';

/** Names of the users whose cursor is in a paragraph. */
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
        .slice(0, MAX_AVATARS)
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
