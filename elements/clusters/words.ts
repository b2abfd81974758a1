/** What is said of a cluster: colours of its states, times in words. Pure. */
import { formatDate, parseDate } from 'tiding/model';
import { fill, text } from '../text/en.ts';

const t = text.clusters;
/** Class of a colour. */
export type Tone = 'success' | 'info' | 'warning' | 'danger' | 'neutral';

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

/** Colour of a state; there may be others than those that are known. */
export const stateTone = (state: string): Tone =>
  Object.hasOwn(states, state) ? states[state]! : 'neutral';
/** Colour of a health. */
export const healthTone = (health: string): Tone =>
  Object.hasOwn(healths, health) ? healths[health]! : 'neutral';
/** Its word. */
export const stateWord = (state: string): string =>
  Object.hasOwn(t.states, state) ? t.states[state]! : state;
/** Its word. */
export const healthWord = (health: string): string =>
  Object.hasOwn(t.health, health) ? t.health[health]! : health;

const dayOf = (date: Date): number =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

/** A time in words, local: `today, 8:00 am`, `yesterday, 10:00 pm`, `Sunday, 9:14 pm` in the week before, `January 27th, 2:20 pm`, with the year where it is another; 'Never' without one. */
export function timeWords(value: string | number | undefined, now: Date): string {
  const date = parseDate(value);
  if (!date) return t.never;
  // Days with a change of the clock are an hour longer or shorter.
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

/** A link that may be followed: of the web, else `undefined`. */
export function webAddress(address: string | undefined): string | undefined {
  if (!address || !URL.canParse(address)) return undefined;
  return /^https?:$/.test(new URL(address).protocol) ? address : undefined;
}
