/** What the pages of the workbench are made of. Their sheet is `pageSheet`. */
import { ChevronLeft, ChevronRight, ListFilter } from 'lucide-react';
import { useCallback, useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { isHttpError, isTidingError, type Client } from 'tiding/client';
import { tell } from '../runtime/define-element.ts';
import { useSelect } from '../runtime/hooks.ts';
import { fill, text } from '../text/en.ts';
import { Button, Icon } from './button.tsx';
import { Failed, Loading } from './loading.tsx';
import pageSheet from './page.css';

export { pageSheet };

const t = text.pages;
/** Entries of a page of a list, and links to pages (specification). */
export const PAGE_SIZE = 10;
export const PAGE_LINKS = 5;
/** Who may not see a page is taken home after this, ms (specification). */
const HOME_AFTER_MS = 3_000;

/** A page: its head, and what stands below. */
export function Page({
  title,
  aside,
  actions,
  children,
}: {
  title: string;
  aside?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
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

/** A field that filters a list. `delay`: what is typed counts so long after the last key, and at once when the field is left, ms. */
export function FilterField({
  label,
  value,
  onValue,
  delay = 0,
}: {
  label: string;
  value: string;
  onValue: (value: string) => void;
  delay?: number;
}) {
  const [typed, setTyped] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const now = (next: string): void => {
    clearTimeout(timer.current);
    if (next !== value) onValue(next);
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
          setTyped(target.value);
          clearTimeout(timer.current);
          if (delay === 0) onValue(target.value);
          else timer.current = setTimeout(() => onValue(target.value), delay);
        }}
        onBlur={() => now(typed)}
        onKeyDown={(event) => event.key === 'Enter' && now(typed)}
      />
    </label>
  );
}

/** A choice with its name in front of the value. */
export function LabelledSelect({
  label,
  value,
  options,
  onValue,
}: {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onValue: (value: string) => void;
}) {
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

/** On or off, at once. */
export function Switch({
  label,
  checked,
  disabled,
  hidden,
  onChange,
}: {
  label: string;
  checked: boolean;
  disabled?: boolean;
  hidden?: boolean;
  onChange: (checked: boolean) => void;
}) {
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

/** The part of a list that a page shows, and its number made fit for the list; pages count from 1. */
export function pageOf<Item>(
  items: readonly Item[],
  wanted: number,
  size = PAGE_SIZE,
): { shown: readonly Item[]; page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(items.length / size));
  const page = Math.min(Math.max(1, wanted), pages);
  return { shown: items.slice((page - 1) * size, page * size), page, pages };
}

/** The numbers that stand for pages: at most five, around the one that is shown. */
export function pageNumbers(page: number, pages: number, links = PAGE_LINKS): number[] {
  const count = Math.min(links, pages);
  const first = Math.min(Math.max(1, page - Math.floor(links / 2)), pages - count + 1);
  return Array.from({ length: count }, (_, at) => first + at);
}

/** Which entries are shown, and the ways to the others. */
export function Pager({
  page,
  total,
  size = PAGE_SIZE,
  onPage,
}: {
  page: number;
  total: number;
  size?: number;
  onPage: (page: number) => void;
}) {
  const pages = Math.max(1, Math.ceil(total / size));
  return (
    <div className="page-foot">
      <span aria-live="polite">
        {total === 0
          ? ''
          : fill(t.range, { from: (page - 1) * size + 1, to: Math.min(total, page * size), total })}
      </span>
      <span className="grow" />
      {pages < 2 ? null : (
        <nav className="pager" aria-label={t.pages}>
          <button
            type="button"
            aria-label={t.previous}
            disabled={page <= 1}
            onClick={() => onPage(page - 1)}
          >
            <Icon of={ChevronLeft} size="sm" />
          </button>
          {pageNumbers(page, pages).map((number) => (
            <button
              key={number}
              type="button"
              aria-label={fill(t.page, { n: number })}
              aria-current={number === page ? 'page' : undefined}
              onClick={() => onPage(number)}
            >
              {number}
            </button>
          ))}
          <button
            type="button"
            aria-label={t.next}
            disabled={page >= pages}
            onClick={() => onPage(page + 1)}
          >
            <Icon of={ChevronRight} size="sm" />
          </button>
        </nav>
      )}
    </div>
  );
}

/** Says that there is nothing, more about it, and what could be done. */
export function Empty({
  children,
  hint,
  action,
}: {
  children: ReactNode;
  hint?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="page-empty" role="status">
      <b>{children}</b>
      {hint ? <span>{hint}</span> : null}
      {action}
    </div>
  );
}

/** Says that nothing fits a filter, and takes that away. */
export function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <Empty
      action={
        <Button kind="secondary" onClick={onClear}>
          {t.clear}
        </Button>
      }
    >
      {t.none}
    </Empty>
  );
}

/** What a page loads. */
export interface Loaded<Value> {
  /** The newest answer; stays while the next one is on its way. */
  readonly value: Value | undefined;
  /** Why the newest try failed. */
  readonly error: unknown;
  readonly loading: boolean;
  /** Asks again. */
  readonly reload: () => Promise<void>;
  /** Puts an answer in its place that a change has brought. */
  readonly set: (change: (value: Value | undefined) => Value | undefined) => void;
}

/** Loads what a page shows when it appears, and again for whoever signs in; an older answer never replaces a newer one. */
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
  useEffect(() => {
    void reload();
    return () => void (turn.current += 1);
  }, [reload, signedOut]);
  const set = useCallback(
    (change: (value: Value | undefined) => Value | undefined) =>
      setState((before) => ({ ...before, value: change(before.value) })),
    [],
  );
  return { ...state, reload, set };
}

/** Whether the server's version has no such call. What a server has turned off it tells itself, and may have on again. */
const isLacking = (error: unknown): boolean =>
  isTidingError(error, 'unsupported') && 'serverVersion' in error;

/** The server's own sentence about a failure, else `fallback`: also where the server gave none, or could not be reached. */
export function messageOf(error: unknown, fallback: string): string {
  if (isLacking(error)) return t.notHere;
  // The client's own words for an error status that came without a sentence.
  if (isHttpError(error) && error.message === `${error.operation} answered ${error.status}`)
    return fallback;
  return isTidingError(error) &&
    error.message !== '' &&
    error.code !== 'network' &&
    error.code !== 'timeout'
    ? error.message
    : fallback;
}

/** Whether a call was refused because the person may not do that (specification: 401; ours also 403). */
export function isRefused(error: unknown): boolean {
  return isHttpError(error)
    ? error.status === 401 || error.status === 403
    : isTidingError(error, 'forbidden');
}

/** Says on a page that its reader may not see it, and takes him home after three seconds (specification). */
export function useNoPermission(host: HTMLElement, error: unknown): boolean {
  const refused = error !== undefined && isRefused(error);
  useEffect(() => {
    if (!refused) return undefined;
    const timer = setTimeout(() => tell(host, 'tiding-home-wanted'), HOME_AFTER_MS);
    return () => clearTimeout(timer);
  }, [host, refused]);
  return refused;
}

/** What stands in the place of a page's content while it cannot be shown: refused, failed or still on its way; else `null`. */
export function LoadProblem({
  host,
  loaded,
  fallback,
}: {
  host: HTMLElement;
  loaded: Pick<Loaded<unknown>, 'value' | 'error' | 'loading' | 'reload'>;
  fallback: string;
}) {
  const refused = useNoPermission(host, loaded.error);
  if (refused)
    return (
      <div className="element-message" role="alert">
        <span>{t.noPermission}</span>
      </div>
    );
  if (loaded.value !== undefined) return null;
  // To ask again would not help.
  if (isLacking(loaded.error)) return <Empty>{t.notHere}</Empty>;
  if (loaded.loading) return <Loading lines />;
  return (
    <Failed onRetry={() => void loaded.reload()}>
      <span>{messageOf(loaded.error, fallback)}</span>
    </Failed>
  );
}
