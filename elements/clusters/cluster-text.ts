/** Colours and texts of cluster states and times. Pure. */
import { formatDate, parseDate } from '@tiding/client/model';
import { fill } from '../text/fill.ts';
import { clusterTexts as t } from './texts.ts';

/** CSS class of a colour. */
type Tone = 'success' | 'info' | 'warning' | 'danger' | 'neutral';

const states: Readonly<Record<string, Tone>> = {
  Running: 'success',
  Provisioning: 'info',
  Bootstrapping: 'info',
  Stopping: 'info',
  Failed: 'danger',
};
const healths: Readonly<Record<string, Tone>> = {
  Healthy: 'success',
  Degraded: 'warning',
  Unhealthy: 'danger',
};

/** Colour of a state; unknown states are possible. */
export const stateTone = (state: string): Tone =>
  Object.hasOwn(states, state) ? states[state]! : 'neutral';
/** Colour of a health state. */
export const healthTone = (health: string): Tone =>
  Object.hasOwn(healths, health) ? healths[health]! : 'neutral';
export const stateText = (state: string): string =>
  Object.hasOwn(t.states, state) ? t.states[state]! : state;
/** Display text of a health state. */
export const healthText = (health: string): string =>
  Object.hasOwn(t.health, health) ? t.health[health]! : health;

const dayOf = (date: Date): number =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

/**
 * A local time as text: `today, 8:00 am`, `yesterday, 10:00 pm`, `Sunday, 9:14 pm` within the last
 * week, otherwise `January 27th, 2:20 pm`, with the year if it is not the current one. 'Never' if
 * there is none.
 */
export function clusterTimeText(value: string | number | undefined, now: Date): string {
  const date = parseDate(value);
  if (!date) return t.never;
  // A day with a clock change is an hour longer or shorter.
  const days = Math.round((dayOf(now) - dayOf(date)) / 86_400_000);
  const time = formatDate(date, 'h:mm a');
  if (days === 0) return fill(t.today, { time });
  if (days === 1) return fill(t.yesterday, { time });
  if (days > 1 && days < 7) return formatDate(date, 'dddd, h:mm a');
  return formatDate(
    date,
    date.getFullYear() === now.getFullYear() ? 'MMMM Do, h:mm a' : 'MMMM Do YYYY, h:mm a',
  );
}

/** Returns the address if it is an http(s) URL, otherwise `undefined`. */
export function httpAddress(address: string | undefined): string | undefined {
  if (!address || !URL.canParse(address)) return undefined;
  return /^https?:$/.test(new URL(address).protocol) ? address : undefined;
}
