import type { MatchedParagraph } from '@tiding/client/changes';
import { editorMode, magicOf } from '@tiding/client/model';
import { ArchiveRestore, ArrowDown, ArrowUp } from 'lucide-react';
import { memo, useEffect, useMemo, useRef } from 'react';
import { loadLanguage } from '../../editor/languages/languages.ts';
import { useViewStore } from '../../runtime/store.ts';
import { useNearViewport } from '../../runtime/viewport.ts';
import { commonTexts } from '../../text/common.ts';
import { fill } from '../../text/fill.ts';
import { Button } from '../../ui/button.tsx';
import { StatusHint } from '../../ui/hints.tsx';
import { MenuButton, type MenuEntry } from '../../ui/menu/menu-button.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import {
  type OutputChange,
  outputChanges,
  type ParagraphSettingChange,
  settingChanges,
} from './changes.ts';
import { diffText, type TextDiff } from './diff.ts';
import { DiffLines, DiffTable, highlightedLines } from './diff-rows.tsx';
import type { createTextDiffs } from './text-diffs.ts';
import { revisionTexts as t } from './texts.ts';
import { useLater } from './use-later.ts';

/**
 * Name of a paragraph in lists and headings: its title, or its first line. If the first line is
 * only a magic, the next line is appended.
 */
export function matchedTitle({ paragraph, firstLine }: MatchedParagraph): string {
  const first = firstLine.trim();
  const next = /^%\S+$/.test(first) ? ((paragraph.text ?? '').split('\n', 2)[1]?.trim() ?? '') : '';
  return paragraph.title?.trim() || `${first} ${next}`.trim() || paragraph.id;
}
const tones = {
  added: 'badge success',
  deleted: 'badge danger',
  'there are differences': 'badge warning',
  'contents are identical': 'badge',
} as const;
/** State of a paragraph between the two revisions, in the words of the specification. */
export const Label = ({ entry }: { entry: MatchedParagraph }) => (
  <span className={tones[entry.label]}>{entry.label}</span>
);

interface CardProps {
  entry: MatchedParagraph;
  first: string;
  second: string;
  /** Diffs of the texts that have been requested. */
  diffs: ReturnType<typeof createTextDiffs>;
  restore: (entry: MatchedParagraph) => readonly MenuEntry[];
  onStep: (from: HTMLElement, direction: 1 | -1) => void;
}

/** One paragraph in both revisions. Its content is computed when it comes near the window. */
export const DiffCard = memo(function DiffCard({
  entry,
  first,
  second,
  diffs,
  restore,
  onStep,
}: CardProps) {
  const diff = useViewStore(diffs.store, (all) => all[entry.paragraph.id]);
  const card = useRef<HTMLElement>(null);
  const near = useNearViewport(card);
  useEffect(() => {
    if (near) void diffs.ask(entry);
  }, [near, diffs, entry]);
  const { paragraph } = entry;
  const name = matchedTitle(entry);
  const entries = restore(entry);
  const step = (direction: 1 | -1) => card.current && onStep(card.current, direction);
  return (
    <article
      ref={card}
      className="diff-card"
      tabIndex={-1}
      data-compared={paragraph.id}
      aria-label={fill(t.differences, { name })}
    >
      <header>
        <h3 className="truncate">{name}</h3>
        <span className="diff-id truncate">
          {paragraph.title ? `${paragraph.id} (${paragraph.title})` : paragraph.id}
        </span>
        <Label entry={entry} />
        <span className="grow" />
        {entries.length > 0 ? (
          <MenuButton
            size="sm"
            icon={ArchiveRestore}
            label={`${t.restore}: ${name}`}
            entries={() => entries}
          >
            {t.restore}
          </MenuButton>
        ) : null}
        <Button size="sm" icon={ArrowDown} label={t.next} onClick={() => step(1)} />
        <Button size="sm" icon={ArrowUp} label={t.previous} onClick={() => step(-1)} />
      </header>
      <p className="diff-title truncate">{fill(t.between, { first, second })}</p>
      {near ? (
        <Body entry={entry} diff={diff} />
      ) : (
        <p className="hint diff-note">{commonTexts.loading}</p>
      )}
    </article>
  );
});

function Body({
  entry: { before, after, paragraph, identical },
  diff,
}: {
  entry: MatchedParagraph;
  diff: TextDiff | undefined;
}) {
  const settings = useMemo(() => settingChanges(before, after), [before, after]);
  const outputs = useMemo(() => outputChanges(before, after), [before, after]);
  const [old, now] = [before?.text, after?.text];
  const source = paragraph.text ?? '';
  const mode = magicOf(source) ? editorMode(source, 'text') : undefined;
  const texts = `${old}${now}`;
  // A new list each time: the texts may have got tags, whose language loads later.
  const loaded = useLater(async () => [await loadLanguage(mode, texts)], [mode, texts]);
  const colours = useMemo(
    () => (loaded ? ([highlightedLines(old), highlightedLines(now)] as const) : undefined),
    [loaded, old, now],
  );
  return (
    <>
      {diff ? (
        <DiffLines diff={diff} label={t.code} {...(colours ? { colours } : {})} />
      ) : (
        <StatusHint className="hint diff-note">{commonTexts.loading}</StatusHint>
      )}
      {identical && settings.length === 0 && outputs.length === 0 ? (
        <p className="hint diff-note">{t.identical}</p>
      ) : null}
      {outputs.map((change) => (
        <OutputPart key={change.index} change={change} />
      ))}
      {settings.length > 0 ? <Settings changes={settings} /> : null}
    </>
  );
}

function OutputPart({ change: { index, type, before, after } }: { change: OutputChange }) {
  const picture = type === 'IMG';
  const diff = useLater(
    (signal) => (picture ? Promise.resolve(undefined) : diffText(before, after, signal)),
    [picture, before, after],
  );
  const label = fill(t.result, { n: index + 1, type });
  return (
    <section className="diff-part">
      <h4>{label}</h4>
      {picture ? (
        <p className="hint diff-note">
          {before === undefined
            ? t.pictureAdded
            : after === undefined
              ? t.pictureDeleted
              : t.picture}
        </p>
      ) : null}
      {diff ? (
        type === 'TABLE' ? (
          <DiffTable diff={diff} label={label} />
        ) : (
          <DiffLines diff={diff} label={label} />
        )
      ) : null}
    </section>
  );
}

function Settings({ changes }: { changes: readonly ParagraphSettingChange[] }) {
  return (
    <section className="diff-part">
      <h4>{t.settings}</h4>
      <div className="diff diff-table" role="region" aria-label={t.settings} tabIndex={0}>
        <table>
          <TableHead names={[t.setting, t.before, t.after]} />
          <tbody>
            {changes.map(({ name, before, after }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{before ?? <i>{t.absent}</i>}</td>
                <td>{after ?? <i>{t.absent}</i>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
