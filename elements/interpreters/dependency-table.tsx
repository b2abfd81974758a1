import { Plus, X } from 'lucide-react';
import { useId, useRef } from 'react';
import { fill } from '../text/fill.ts';
import { Button } from '../ui/button.tsx';
import { onEnter } from '../ui/fields/form-events.ts';
import { TableHead } from '../ui/table-head.tsx';
import { type DependencyRow, type Draft, withNewDependency } from './draft.ts';
import { interpreterTexts as t } from './texts.ts';

/** Dependencies of a form; the last row adds one. */
export function DependencyTable({
  draft,
  onDraft,
}: {
  draft: Draft;
  onDraft: (draft: Draft) => void;
}) {
  const heading = useId();
  const first = useRef<HTMLInputElement>(null);
  const { dependencies, newDependency } = draft;
  const change = (key: number, part: Partial<DependencyRow>) =>
    onDraft({
      ...draft,
      dependencies: dependencies.map((row) => (row.key === key ? { ...row, ...part } : row)),
    });
  const typed = (part: Partial<Draft['newDependency']>) =>
    onDraft({ ...draft, newDependency: { ...newDependency, ...part } });
  const add = () => {
    if (newDependency.artifact.trim() !== '') onDraft(withNewDependency(draft));
    first.current?.focus();
  };
  return (
    <section className="form-part" aria-labelledby={heading}>
      <h3 id={heading}>{t.dependencies}</h3>
      <table className="props dependencies" aria-labelledby={heading}>
        <TableHead names={[t.artifact, t.exclude]} actions={t.action} />
        <tbody>
          {dependencies.map(({ key, artifact, exclude }, at) => (
            <tr key={key}>
              <td>
                <Line
                  label={fill(t.artifactOf, { n: at + 1 })}
                  value={artifact}
                  hint={t.artifactHint}
                  onValue={(next) => change(key, { artifact: next })}
                />
              </td>
              <td>
                <Line
                  label={fill(t.excludeOf, { name: artifact })}
                  value={exclude}
                  hint={t.excludeHint}
                  onValue={(next) => change(key, { exclude: next })}
                />
              </td>
              <td>
                <Button
                  size="sm"
                  icon={X}
                  label={fill(t.removeProperty, { name: artifact })}
                  onClick={() =>
                    onDraft({
                      ...draft,
                      dependencies: dependencies.filter((row) => row.key !== key),
                    })
                  }
                />
              </td>
            </tr>
          ))}
          <tr className="last">
            <td>
              <Line
                field={first}
                label={t.newArtifact}
                value={newDependency.artifact}
                hint={t.artifactHint}
                onValue={(artifact) => typed({ artifact })}
                onAdd={add}
              />
            </td>
            <td>
              <Line
                label={t.newExclude}
                value={newDependency.exclude}
                hint={t.excludeHint}
                onValue={(exclude) => typed({ exclude })}
                onAdd={add}
              />
            </td>
            <td>
              <Button size="sm" icon={Plus} label={t.addDependency} onClick={add} />
            </td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}

interface LineProps {
  field?: React.Ref<HTMLInputElement>;
  label: string;
  value: string;
  hint: string;
  onValue: (value: string) => void;
  onAdd?: () => void;
}

function Line({ field, label, value, hint, onValue, onAdd }: LineProps) {
  return (
    <span className="input">
      <input
        ref={field}
        className="mono"
        aria-label={label}
        title={hint}
        placeholder={hint}
        value={value}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => onValue(target.value)}
        onKeyDown={onEnter(onAdd)}
      />
    </span>
  );
}
