/**
 * Applications on a paragraph: the list of available ones, the buttons of loaded ones, and their
 * output.
 */

import type { ParagraphApplication } from '@tiding/client';
import type { HeliumEntry } from '@tiding/client/protocol';
import { X } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { resultText } from '../../text/results/result.ts';
import { Button, Icon } from '../../ui/button.tsx';
import type { DisplayProps, ResultPlace } from '../contract.ts';
import { displayOf } from '../displays/index.ts';
import { Menu, MenuItem } from '../parts/menu.tsx';
import { Notice } from '../parts/notice.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { packageIcon } from './package-icon.tsx';
import { usePackages } from './package-store.ts';

const uiText = resultText.packages;

interface BarProps {
  place: ResultPlace;
  apps: readonly ParagraphApplication[];
  active: string | undefined;
  /** Shows an application instead of the result; `undefined` shows the result again. */
  onActive: (id: string | undefined) => void;
}

/**
 * Whether there is anything to choose: an application on the paragraph, or one enabled on the
 * server.
 */
export function useHasApplications(
  place: ResultPlace | undefined,
  apps: readonly ParagraphApplication[],
): boolean {
  const { applications } = usePackages(place?.client);
  return (
    place !== undefined && (apps.length > 0 || (applications && place.note.revision === undefined))
  );
}

/**
 * Toolbar of the last output: a button for each loaded application, and a menu of those that can be
 * added.
 */
export function ApplicationBar({ place, apps, active, onActive }: BarProps) {
  const box = useRef<HTMLSpanElement>(null);
  const { client, note, paragraph } = place;
  const { applications } = usePackages(client);
  const [found, setFound] = useState<readonly HeliumEntry[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const fail = (error: unknown): void =>
    setProblem(error instanceof Error ? error.message : String(error));
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
          {found === null ? (
            <p className="menu-heading" role="status">
              {uiText.loading}
            </p>
          ) : null}
          {found?.length === 0 ? <p className="menu-heading">{uiText.noApps}</p> : null}
          {found?.map(({ pkg }) => (
            <MenuItem key={`${pkg.name} ${pkg.artifact ?? ''}`} onClick={() => load(pkg)}>
              {icon(pkg)}
              {pkg.name}
            </MenuItem>
          ))}
        </Menu>
      )}
      {problem !== null && (
        <span className="app-problem" role="alert">
          {problem}
        </span>
      )}
    </span>
  );
}

/** Output of an application, shown instead of the result. */
export function ApplicationOutput({ app, ...props }: DisplayProps & { app: ParagraphApplication }) {
  const { status, outputs, pkg } = app;
  if (status === 'LOADING' && outputs.length === 0) return <Skeleton height={props.graph.height} />;
  return (
    <div className="app-output">
      {status === 'ERROR' && <Notice kind="danger">{uiText.appFailed(pkg.name)}</Notice>}
      {outputs.map((output, at) => {
        const View = displayOf(output);
        return View ? (
          <Suspense key={at} fallback={<Skeleton height={props.graph.height} />}>
            <View {...props} output={output} />
          </Suspense>
        ) : null;
      })}
    </div>
  );
}
