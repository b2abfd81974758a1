import { ExternalLink, Plus, X } from 'lucide-react';
import { useId, useRef } from 'react';
import { fill } from '../text/fill.ts';
import { Button, Icon } from '../ui/button.tsx';
import { onEnter } from '../ui/fields/form-events.ts';
import { Choice } from '../ui/fields/labelled.tsx';
import { NewTabLink } from '../ui/new-tab.tsx';
import { TableHead } from '../ui/table-head.tsx';
import {
  type Draft,
  editableValue,
  emptyRows,
  numberText,
  type PropertyRow,
  withNewProperty,
} from './draft.ts';
import { interpreterTexts as t } from './texts.ts';

/** Displayed for every password, whatever its length. */
const PASSWORD_MASK = '••••••••••';

interface ValueEditorProps {
  label: string;
  hint?: string;
  type: string;
  value: string | boolean;
  onValue: (value: string | boolean) => void;
  onAdd?: () => void;
}

/** Editor for a property value, by type (specification). */
function ValueEditor({ label, hint, type, value, onValue, onAdd }: ValueEditorProps) {
  if (type === 'checkbox') {
    return (
      <label className="check">
        <input
          type="checkbox"
          aria-label={label}
          checked={value === true}
          onChange={({ target }) => onValue(target.checked)}
        />
        <span aria-hidden="true">{value === true ? t.on : t.off}</span>
      </label>
    );
  }
  const shown = String(value);
  if (type === 'textarea') {
    return (
      <span className="input">
        <textarea
          rows={Math.min(12, Math.max(2, shown.split('\n').length))}
          aria-label={label}
          value={shown}
          spellCheck={false}
          onChange={({ target }) => onValue(target.value)}
        />
      </span>
    );
  }
  return (
    <span className="input">
      <input
        type={type === 'password' ? 'password' : type === 'url' ? 'url' : 'text'}
        aria-label={label}
        placeholder={hint}
        value={shown}
        spellCheck={false}
        autoComplete={type === 'password' ? 'new-password' : 'off'}
        {...(type === 'number' ? { inputMode: 'decimal' as const, className: 'num' } : {})}
        // Passwords are hidden and can't be edited in part: typing replaces the whole value.
        onFocus={({ target }) => type === 'password' && target.select()}
        onChange={({ target }) =>
          onValue(type === 'number' ? numberText(target.value) : target.value)
        }
        onKeyDown={onEnter(onAdd)}
      />
      <Follow name={label} type={type} url={shown} />
    </span>
  );
}

const isLink = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url);

function Follow({ name, type, url }: { name: string; type: string; url: string }) {
  if (type !== 'url' || !isLink(url)) return null;
  const label = fill(t.followLink, { name });
  return (
    <NewTabLink className="follow" href={url} aria-label={label} title={label}>
      <Icon of={ExternalLink} size="sm" />
    </NewTabLink>
  );
}

/** Read-only value. */
export function ShownValue({ row: { name, type, value } }: { row: PropertyRow }) {
  if (type === 'checkbox') return <>{value === true ? t.on : t.off}</>;
  const shown = String(value);
  if (shown === '') return null;
  if (type === 'password') return <span className="secondary-text">{PASSWORD_MASK}</span>;
  if (type === 'url' && isLink(shown))
    return (
      <NewTabLink className="link" href={shown} title={fill(t.followLink, { name })}>
        {shown}
      </NewTabLink>
    );
  return <>{shown}</>;
}

interface PropertyTableProps {
  draft: Draft;
  types: readonly string[];
  described: boolean;
  onDraft: (draft: Draft) => void;
}

/** Properties of a form; the last row adds one. `described` adds a column with descriptions. */
export function PropertyTable({ draft, types, described, onDraft }: PropertyTableProps) {
  const heading = useId();
  const first = useRef<HTMLInputElement>(null);
  const { properties, newProperty } = draft;
  const change = (name: string, value: string | boolean) =>
    onDraft({
      ...draft,
      properties: properties.map((row) => (row.name === name ? { ...row, value } : row)),
    });
  const typed = (part: Partial<Draft['newProperty']>) =>
    onDraft({ ...draft, newProperty: { ...newProperty, ...part } });
  const taken = properties.some(({ name }) => name === newProperty.name.trim());
  const add = () => {
    if (newProperty.name.trim() !== '' && !taken) onDraft(withNewProperty(draft));
    first.current?.focus();
  };
  return (
    <section className="form-part" aria-labelledby={heading}>
      <h3 id={heading}>{t.properties}</h3>
      <table className="props" aria-labelledby={heading}>
        <TableHead
          names={[t.name, t.value, ...(described ? [t.description] : []), t.type]}
          actions={t.action}
        />
        <tbody>
          {properties.map(({ name, type, value, description }) => (
            <tr key={name}>
              <td className="mono" title={description}>
                {name}
              </td>
              <td>
                <ValueEditor
                  label={name}
                  type={type}
                  value={value}
                  onValue={(next) => change(name, next)}
                />
              </td>
              {described ? <td className="about">{description}</td> : null}
              <td className="kind">{type}</td>
              <td>
                <Button
                  size="sm"
                  icon={X}
                  label={fill(t.removeProperty, { name })}
                  onClick={() =>
                    onDraft({ ...draft, properties: properties.filter((row) => row.name !== name) })
                  }
                />
              </td>
            </tr>
          ))}
          <tr className="last">
            <td>
              <span className={taken ? 'input error' : 'input'}>
                <input
                  ref={first}
                  className="mono"
                  aria-label={t.newName}
                  placeholder={t.name}
                  value={newProperty.name}
                  aria-invalid={taken || undefined}
                  spellCheck={false}
                  autoComplete="off"
                  onChange={({ target }) => typed({ name: target.value })}
                  onKeyDown={onEnter(add)}
                />
              </span>
              {taken ? (
                <span className="hint error" role="alert">
                  {fill(t.twice, { name: newProperty.name.trim() })}
                </span>
              ) : null}
            </td>
            <td>
              <ValueEditor
                label={t.newValue}
                hint={t.value}
                type={newProperty.type}
                value={newProperty.value}
                onValue={(value) => typed({ value })}
                onAdd={add}
              />
            </td>
            {described ? <td className="about" /> : null}
            <td className="kind">
              <Choice
                aria-label={t.newType}
                value={newProperty.type}
                options={types}
                // Keep the typed value if the editor of the new type can show it.
                onValue={(type) =>
                  typed({
                    type,
                    value:
                      typeof newProperty.value === 'boolean' && type !== 'checkbox'
                        ? emptyRows.newProperty.value
                        : editableValue(
                            type === 'number'
                              ? numberText(String(newProperty.value))
                              : newProperty.value,
                            type,
                          ),
                  })
                }
              />
            </td>
            <td>
              <Button size="sm" icon={Plus} label={t.addProperty} onClick={add} />
            </td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}
