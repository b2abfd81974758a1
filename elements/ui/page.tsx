/** Building blocks of the workbench pages. They need the styles of `pageSheet`. */

import { type Client, isHttpError, isTidingError, type UnsupportedError } from '@tiding/client';
import { ListFilter } from 'lucide-react';
import {
  type ComponentProps,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { emitEvent } from '../runtime/define-element.ts';
import { useSelect } from '../runtime/hooks.ts';
import { fill } from '../text/fill.ts';
import { Button, Icon } from './button.tsx';
import { LoadFailed, Loading } from './loading.tsx';
import pageSheet from './page.css';
import { pageTexts as t } from './page-texts.ts';
import { useTypedText } from './use-typed-text.ts';

export { entriesOnPage, PAGE_SIZE, Pager } from './pager.tsx';
export { pageSheet };

/** Users without permission are redirected to home after this delay, in ms (specification). */
const HOME_AFTER_MS = 3_000;

interface PageProps {
  title: string;
  aside?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A page with a heading, an optional toolbar, and content. */
export function Page({ title, aside, actions, children }: PageProps) {
  return (
    <div className="page">
      <div className="page-head">
        <h1>{title}</h1>
        {aside === undefined ? null : <span className="aside">{aside}</span>}
        <span className="grow" />
        {actions}
      </div>
      {children}
    </div>
  );
}

interface FilterFieldProps {
  label: string;
  value: string;
  onValue: (value: string) => void;
  delay?: number;
}

/**
 * Field that filters a list. `delay` is the time between the last key and applying the filter, in
 * ms; on blur it applies immediately.
 */
export function FilterField({ label, value, onValue, delay = 0 }: FilterFieldProps) {
  const { typed, setTyped, told } = useTypedText(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const tell = (text: string): void => {
    clearTimeout(timer.current);
    if (text === told.current) return;
    told.current = text;
    onValue(text);
  };
  return (
    <label className="input">
      <Icon of={ListFilter} size="sm" />
      <input
        type="search"
        placeholder={label}
        aria-label={label}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => {
          const text = target.value;
          setTyped(text);
          clearTimeout(timer.current);
          if (delay === 0) tell(text);
          else timer.current = setTimeout(() => tell(text), delay);
        }}
        onBlur={({ target }) => tell(target.value)}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && tell(currentTarget.value)}
      />
    </label>
  );
}

interface LabelledSelectProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onValue: (value: string) => void;
}

/** A select with its label in front of the value. */
export function LabelledSelect({ label, value, options, onValue }: LabelledSelectProps) {
  const id = useId();
  return (
    <span className="labelled-select">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onValue(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  );
}

interface SwitchProps {
  label: string;
  checked: boolean;
  disabled?: boolean;
  hidden?: boolean;
  onChange: (checked: boolean) => void;
}

/** A switch that takes effect immediately. */
export function Switch({ label, checked, disabled, hidden, onChange }: SwitchProps) {
  return (
    <button
      type="button"
      className="switch"
      role="switch"
      aria-checked={checked}
      disabled={disabled}
      aria-label={hidden ? label : undefined}
      onClick={() => onChange(!checked)}
    >
      <i aria-hidden="true" />
      {hidden ? null : label}
    </button>
  );
}

interface EmptyStateProps {
  children: ReactNode;
  hint?: ReactNode;
  action?: ReactNode;
}

/** Empty state: a title, an optional description, and optional actions. */
export function EmptyState({ children, hint, action }: EmptyStateProps) {
  return (
    <div className="page-empty" role="status">
      <b>{children}</b>
      {hint ? <span>{hint}</span> : null}
      {action}
    </div>
  );
}

/** Empty state for a filter without matches, with a button that clears it. */
export function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      action={
        <Button kind="secondary" onClick={onClear}>
          {t.clear}
        </Button>
      }
    >
      {t.none}
    </EmptyState>
  );
}

export interface Loaded<Value> {
  /** The latest answer; kept while the next one is loading, unless the user may not see it. */
  readonly value: Value | undefined;
  /** Why the latest attempt failed. */
  readonly error: unknown;
  readonly loading: boolean;
  /** Loads the data again. */
  readonly reload: () => Promise<void>;
  /** Replaces the value, for example with the result of a change. */
  readonly set: (change: (value: Value | undefined) => Value | undefined) => void;
}

/**
 * Loads a page's data on mount and after each sign-in. An older answer never replaces a newer one.
 */
export function useLoaded<Value>(
  client: Client | undefined,
  load: (client: Client) => Promise<Value>,
): Loaded<Value> {
  const [state, setState] = useState<{
    value: Value | undefined;
    error: unknown;
    loading: boolean;
  }>({ value: undefined, error: undefined, loading: true });
  const turn = useRef(0);
  const newest = useRef(load);
  newest.current = load;
  const signedOut = useSelect(client, ({ session }) => session.phase === 'signed-out', false);
  const reload = useCallback(async (): Promise<void> => {
    if (!client) return;
    const mine = (turn.current += 1);
    setState((before) => ({ ...before, loading: true }));
    try {
      const value = await newest.current(client);
      if (mine === turn.current) setState({ value, error: undefined, loading: false });
    } catch (error) {
      if (mine === turn.current) setState((before) => ({ ...before, error, loading: false }));
    }
  }, [client]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads again after each sign-in
  useEffect(() => {
    void reload();
    return () => void (turn.current += 1);
  }, [reload, signedOut]);
  const set = useCallback(
    (change: (value: Value | undefined) => Value | undefined) =>
      setState((before) => ({ ...before, value: change(before.value) })),
    [],
  );
  const value = isRefused(state.error) ? undefined : state.value;
  return { ...state, value, reload, set };
}

/**
 * Whether this server version lacks the call. Features that are only turned off have a message of
 * their own and may be turned on again.
 */
const isLacking = (error: unknown): error is UnsupportedError =>
  isTidingError(error, 'unsupported') && 'serverVersion' in error;

/**
 * Returns the server's error message, or `fallback` if there is none or the server could not be
 * reached.
 */
export function serverMessageOf(error: unknown, fallback: string): string {
  if (isLacking(error))
    return error.feature ? fill(t.lacks, { feature: error.feature }) : t.notHere;
  // The client's generic message for an error status without a message.
  if (
    isHttpError(error) &&
    error.message === `${error.operation} failed with status ${error.status}.`
  )
    return fallback;
  return isTidingError(error) &&
    error.message !== '' &&
    error.code !== 'network' &&
    error.code !== 'timeout'
    ? error.message
    : fallback;
}

/**
 * Whether the user lacks permission for a call (specification: 401; this server also sends 403).
 */
export function isRefused(error: unknown): boolean {
  return isHttpError(error)
    ? error.status === 401 || error.status === 403
    : isTidingError(error, 'forbidden');
}

/**
 * Tells users that they may not see the page and redirects them to home after three seconds
 * (specification).
 */
function useNoPermission(host: HTMLElement, error: unknown): boolean {
  const refused = isRefused(error);
  useEffect(() => {
    if (!refused) return undefined;
    const timer = setTimeout(() => emitEvent(host, 'tiding-home-wanted'), HOME_AFTER_MS);
    return () => clearTimeout(timer);
  }, [host, refused]);
  return refused;
}

/** A page that shows nothing but its {@link LoadProblem}. */
export const PageProblem = ({
  title,
  ...problem
}: { title: string } & ComponentProps<typeof LoadProblem>) => (
  <Page title={title}>
    <LoadProblem {...problem} />
  </Page>
);

interface LoadProblemProps {
  host: HTMLElement;
  loaded: Pick<Loaded<unknown>, 'value' | 'error' | 'loading' | 'reload'>;
  fallback: string;
}

/** Replaces a page's content while it is loading, failed or refused; otherwise `null`. */
export function LoadProblem({ host, loaded, fallback }: LoadProblemProps) {
  const refused = useNoPermission(host, loaded.error);
  if (refused)
    return (
      <div className="element-message" role="alert">
        <span>{t.noPermission}</span>
      </div>
    );
  if (loaded.value !== undefined) return null;
  // Retrying would not help.
  if (isLacking(loaded.error))
    return <EmptyState>{serverMessageOf(loaded.error, fallback)}</EmptyState>;
  if (loaded.loading) return <Loading lines />;
  return (
    <LoadFailed onRetry={() => void loaded.reload()}>
      <span>{serverMessageOf(loaded.error, fallback)}</span>
    </LoadFailed>
  );
}
