import { fill } from '../../text/fill.ts';
import { useNoteState, useNoteUi } from '../ui/note-ui.ts';
import { keyOf, MAX_AVATARS, type Person, parsed } from './people.ts';
import { collaborationTexts as t } from './texts.ts';

/** Names of the users whose cursor is in a paragraph. */
export function ParagraphPeople({ id }: { id: string }) {
  const key = useNoteState(useNoteUi(), (note) =>
    keyOf(
      Object.values(note?.presence ?? {})
        .filter(({ paragraphId }) => paragraphId === id)
        .map(({ name, color }) => ({ name, color })),
    ),
  );
  if (key === '') return null;
  return (
    <span className="paragraph-people">
      {parsed<Person>(key)
        .slice(0, MAX_AVATARS)
        .map(({ name, color }, at) => (
          <span
            key={`${name}${at}`}
            className={`person-chip truncate person-${color}`}
            title={fill(t.editing, { name })}
          >
            <i className={`avatar person-${color}`} aria-hidden="true" />
            {name}
          </span>
        ))}
    </span>
  );
}
