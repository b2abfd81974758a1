/** Applications of packages on a paragraph: the list of what could be added, buttons of what is there, and what one shows. */
import { X } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import type { Application } from 'tiding/client';
import type { HeliumEntry } from 'tiding/protocol';
import { Button, Icon } from '../../ui/button.tsx';
import type { DisplayProps, ResultPlace } from '../contract.ts';
import { displayOf } from '../displays/index.ts';
import { Menu, MenuItem } from '../menu.tsx';
import { Notice } from '../notice.tsx';
import { Skeleton } from '../skeleton.tsx';
import { resultText } from '../text.ts';
import { packageIcon } from './icon.tsx';
import { usePackages } from './store.ts';

const words = resultText.packages;

interface BarProps {
  place: ResultPlace;
  apps: readonly Application[];
  active: string | undefined;
  /** Shows an application in place of the result; `undefined`: the result. */
  onActive: (id: string | undefined) => void;
}

/** Whether there is anything to choose: an application on the paragraph, or one that is on at the server. */
export function useHasApplications(
  place: ResultPlace | undefined,
  apps: readonly Application[],
): boolean {
  const { applications } = usePackages(place?.client);
  return (
    place !== undefined && (apps.length > 0 || (applications && place.note.revision === undefined))
  );
}

/** The applications of the last output: each is a button, and the list has those that fit. */
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
  const unload = (app: Application): void => {
    if (app.id === active) onActive(undefined);
    client.packages.unload(note.noteId, paragraph.id, app.id).catch(fail);
  };
  const isMade = note.revision === undefined;
  const icon = (pkg: HeliumEntry['pkg']) => <Icon of={packageIcon(pkg.icon)} />;
  return (
    <span ref={box} className="app-bar" role="group" aria-label={words.apps}>
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
              label={words.unload(app.pkg.name)}
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
              aria-label={words.suggest}
              title={words.suggest}
              onPointerEnter={look}
              onFocus={look}
            >
              He
            </button>
          }
        >
          {found === null ? (
            <p className="menu-heading" role="status">
              {words.loading}
            </p>
          ) : null}
          {found?.length === 0 ? <p className="menu-heading">{words.noApps}</p> : null}
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

/** What an application shows, in place of the result. */
export function ApplicationOutput({ app, ...props }: DisplayProps & { app: Application }) {
  const { status, outputs, pkg } = app;
  if (status === 'LOADING' && outputs.length === 0) return <Skeleton height={props.graph.height} />;
  return (
    <div className="app-output">
      {status === 'ERROR' && <Notice kind="danger">{words.appFailed(pkg.name)}</Notice>}
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
