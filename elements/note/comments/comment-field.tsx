import { COMMENT_LIMITS } from '@tiding/client/model';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { commonTexts } from '../../text/common.ts';
import { Button } from '../../ui/button.tsx';
import { onSubmit } from '../../ui/fields/form-events.ts';
import { useSuggestions } from '../../ui/fields/suggestions.ts';
import { useNoteUi } from '../ui/note-ui.ts';
import { commentTexts as t } from './texts.ts';

/** The part of a name before the cursor, after an `@` that begins a word. */
const NAME = /(?:^|[^\p{L}\p{N}._@+-])@([\p{L}\p{N}._@+-]{0,128})$/u;
const MAX_SHOWN = 6;

interface CommentFieldProps {
  readonly label: string;
  readonly text?: string;
  /** Label of the button that sends the text. */
  readonly action: string;
  /** Resolves when the text is stored. */
  readonly onSend: (text: string) => Promise<void>;
  readonly onCancel: () => void;
}

/** A field for a comment, which takes the focus. Typing `@` completes names of users. */
export function CommentField({ label, text = '', action, onSend, onCancel }: CommentFieldProps) {
  const ui = useNoteUi();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [busy, setBusy] = useState(false);
  const [isEmpty, setEmpty] = useState(text === '');
  const mention = useMention(field);
  useEffect(() => {
    // After the panel has taken the focus, which it does in a microtask.
    const timer = setTimeout(() => {
      const { current } = field;
      current?.focus();
      current?.setSelectionRange(current.value.length, current.value.length);
    });
    return () => clearTimeout(timer);
  }, []);

  const send = (): void => {
    const typed = field.current?.value.trim() ?? '';
    if (typed === '' || busy) return;
    setBusy(true);
    void ui.messages.act(async () => {
      try {
        await onSend(typed);
      } finally {
        setBusy(false);
      }
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (mention.onKeyDown(event)) event.preventDefault();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
    else if (event.key === 'Escape' && field.current?.value === text) {
      event.preventDefault();
      onCancel();
    } else return;
    event.stopPropagation();
  };
  return (
    <form className="comment-form" onSubmit={onSubmit(send)}>
      <span className="input">
        <textarea
          ref={field}
          rows={3}
          defaultValue={text}
          maxLength={COMMENT_LIMITS.characters}
          aria-label={label}
          placeholder={t.placeholder}
          aria-autocomplete="list"
          aria-controls={mention.names.length > 0 ? id : undefined}
          aria-activedescendant={mention.names.length > 0 ? `${id}-${mention.index}` : undefined}
          onInput={() => {
            setEmpty(field.current?.value.trim() === '');
            mention.update();
          }}
          onBlur={mention.close}
          onKeyDown={onKeyDown}
        />
      </span>
      {mention.names.length > 0 ? (
        <div className="comment-names" role="listbox" id={id} aria-label={t.users}>
          {mention.names.map((name, index) => (
            <div
              key={name}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === mention.index}
              onPointerDown={(event) => {
                // The field keeps the focus.
                event.preventDefault();
                mention.choose(name);
              }}
            >
              {name}
            </div>
          ))}
        </div>
      ) : null}
      <div className="panel-actions">
        <Button size="sm" kind="primary" type="submit" busy={busy} disabled={isEmpty}>
          {action}
        </Button>
        <Button size="sm" kind="ghost" onClick={onCancel}>
          {commonTexts.cancel}
        </Button>
      </div>
    </form>
  );
}

/** Suggests users for a name that is being typed after `@`. */
function useMention(field: { readonly current: HTMLTextAreaElement | null }) {
  const suggest = useSuggestions(useNoteUi().client);
  const [names, setNames] = useState<readonly string[]>([]);
  const [index, setIndex] = useState(0);
  const asked = useRef(0);
  const typed = (): string | undefined => {
    const { current } = field;
    return current ? NAME.exec(current.value.slice(0, current.selectionStart))?.[1] : undefined;
  };
  const close = (): void => {
    asked.current += 1;
    setNames([]);
  };
  const update = (): void => {
    const term = typed();
    if (term === undefined) return close();
    const turn = ++asked.current;
    suggest(term).then(
      ({ users }) => {
        // Later keys have a newer answer.
        if (turn !== asked.current) return;
        setNames(users.includes(term) ? [] : users.slice(0, MAX_SHOWN));
        setIndex(0);
      },
      () => turn === asked.current && setNames([]),
    );
  };
  const choose = (name: string): void => {
    const { current } = field;
    const term = typed();
    if (current && term !== undefined) {
      const end = current.selectionStart;
      current.setRangeText(`${name} `, end - term.length, end, 'end');
    }
    close();
  };
  /** Returns whether the key belongs to the list. */
  const onKeyDown = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean => {
    if (names.length === 0 || ctrlKey || metaKey) return false;
    if (key === 'ArrowDown') setIndex((index + 1) % names.length);
    else if (key === 'ArrowUp') setIndex((index + names.length - 1) % names.length);
    else if (key === 'Enter' || key === 'Tab') choose(names[index]!);
    else if (key === 'Escape') close();
    else return false;
    return true;
  };
  return { names, index, update, close, choose, onKeyDown };
}
