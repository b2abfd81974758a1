import type { ParagraphApplication } from '@tiding/client';
import type { HeliumEntry } from '@tiding/client/protocol';
import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import { messageOf } from '../../runtime/message-of.ts';
import { useSheets } from '../../runtime/use-sheets.ts';
import { Button, Icon } from '../../ui/button.tsx';
import type { ResultContext } from '../contract.ts';
import { Menu, MenuItem } from '../parts/menu.tsx';
import { tableSheets } from '../styles/table-sheets.ts';
import { resultText } from '../texts.ts';
import { packageIcon } from './package-icon.tsx';
import { usePackages } from './package-store.ts';

const uiText = resultText.packages;

interface BarProps {
  context: ResultContext;
  apps: readonly ParagraphApplication[];
  active: string | undefined;
  /** Shows an application instead of the result; `undefined` shows the result again. */
  onActive: (id: string | undefined) => void;
}

/**
 * Toolbar of the last output: a button for each loaded application, and a menu of those that can be
 * added.
 */
export default function ApplicationBar({ context, apps, active, onActive }: BarProps) {
  useSheets(tableSheets);
  const box = useRef<HTMLSpanElement>(null);
  const { client, note, paragraph } = context;
  const { applications } = usePackages(client);
  const [found, setFound] = useState<readonly HeliumEntry[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const fail = (error: unknown): void => setProblem(messageOf(error));
  const look = (): void => {
    client.packages.suggest(note.noteId, paragraph.id).then(setFound, (error: unknown) => {
      setFound([]);
      fail(error);
    });
  };
  const load = (pkg: HeliumEntry['pkg']): void => {
    setProblem(null);
    client.packages.load(note.noteId, paragraph.id, pkg).then(onActive, fail);
  };
  const unload = (app: ParagraphApplication): void => {
    if (app.id === active) onActive(undefined);
    client.packages.unload(note.noteId, paragraph.id, app.id).catch(fail);
  };
  const isMade = note.revision === undefined;
  const icon = (pkg: HeliumEntry['pkg']) => <Icon of={packageIcon(pkg.icon)} />;
  return (
    <span ref={box} className="app-bar" role="group" aria-label={uiText.apps}>
      {apps.map((app) => (
        <span key={app.id} className={app.id === active ? 'split app-split on' : 'split app-split'}>
          <button
            type="button"
            className="button ghost sm app-button"
            aria-pressed={app.id === active}
            aria-label={app.pkg.name}
            title={app.pkg.name}
            onClick={() => onActive(app.id === active ? undefined : app.id)}
          >
            {icon(app.pkg)}
          </button>
          {isMade && app.id === active && (
            <Button
              size="sm"
              icon={X}
              label={uiText.unload(app.pkg.name)}
              onClick={() => unload(app)}
            />
          )}
        </span>
      ))}
      {applications && isMade && (
        <Menu
          within={box}
          align="start"
          trigger={
            <button
              type="button"
              className="button ghost sm app-menu"
              aria-label={uiText.suggest}
              title={uiText.suggest}
              onPointerEnter={look}
              onFocus={look}
            >
              He
            </button>
          }
        >
          {found === null && (
            <p className="menu-heading" role="status">
              {uiText.loading}
            </p>
          )}
          {found?.length === 0 && <p className="menu-heading">{uiText.noApps}</p>}
          {found?.map(({ pkg }) => (
            <MenuItem key={`${pkg.name} ${pkg.artifact ?? ''}`} onClick={() => load(pkg)}>
              {icon(pkg)}
              {pkg.name}
            </MenuItem>
          ))}
        </Menu>
      )}
      {problem !== null && (
        <span className="app-problem truncate" role="alert">
          {problem}
        </span>
      )}
    </span>
  );
}
