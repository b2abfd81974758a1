/** The table of the load test. */
import { figure } from '../bench/format.mjs';

/** Figures of one kind in one cell. */
const pair = (...values) => values.map(figure).join(' / ');

/** Rows of the table: name, unit, value, target, and figures to compare with. */
export function loadRows(report) {
  const rows = [];
  const add = (name, unit, value, target, beside = {}) =>
    rows.push({ name, unit, value, target, ...beside });
  const {
    broadcast: all,
    zeppelin,
    floor,
    soak: crew,
    slow = [],
    many,
    capacity: most,
    embeds: pages,
    large,
  } = report;
  if (all) {
    /** A figure with those of the floor and of Zeppelin. */
    const addAll = (name, unit, key, target) =>
      add(name, unit, all[key], target, { floor: floor?.[key], zeppelin: zeppelin?.[key] });
    const memory = (of) => pair(of?.memory.before.rss, of?.memory.during.rss);
    addAll(`edit → ${all.sockets - 1} others, p50`, 'ms', 'p50');
    addAll('… p99', 'ms', 'p99', 50);
    if (floor) add('… p99, times the floor', '', all.p99 / floor.p99);
    addAll('… longest', 'ms', 'max');
    addAll(`… missing messages of ${all.edits} edits`, '', 'missing', 0);
    addAll('processor time of the server per edit', 'ms', 'cpu');
    if (floor) add('… times the floor', '', all.cpu / floor.cpu);
    addAll('… of the subscribers', 'ms', 'ownCpu');
    addAll(`${all.sockets} sockets open the note`, 'ms', 'openMs');
    const beside = zeppelin && { zeppelin: memory(zeppelin) };
    add('memory before / during', 'MB', memory(all), undefined, beside);
    add(`heap after gc, growth over ${all.seconds} s`, 'MB/min', all.memory.heapSlope, 1);
    const slope = { zeppelin: zeppelin?.memory.rssSlope };
    add('resident memory, growth', 'MB/min', all.memory.rssSlope, undefined, slope);
  }
  if (crew) {
    const { delay, start, end, secondHalf, commit } = crew;
    add(
      `${crew.people} users, ${crew.notes} notes, ${crew.minutes} min: characters`,
      '',
      crew.characters,
    );
    add('… lost / twice', '', crew.lost + crew.double, 0);
    add(
      '… pages that differ from the server or have unsaved text',
      '',
      crew.differ + crew.unsaved,
      0,
    );
    add(
      '… runs / reloads / cuts / killed processes',
      '',
      [crew.runs, crew.reloads, crew.cuts, crew.kills].join(' / '),
    );
    const { viewers, slow, streams, missed } = crew;
    add(
      `… ${viewers} pages with embed tokens, ${slow} slow, ${streams} streams: missed`,
      '',
      missed,
      0,
    );
    for (const [reason, times] of Object.entries({ ...crew.problems, ...crew.failures }))
      add(`… ${reason}`, '', times);
    add('… delay of the event loop, p50', 'ms', delay.p50);
    add('… p99', 'ms', delay.p99, 50);
    add('… longest', 'ms', delay.max, 200);
    add('… a commit, p50 / p99', 'ms', pair(commit.p50, commit.p99));
    add('… processes, most at a time', '', crew.processes);
    add('… heap after gc: start / end', 'MB', pair(start.heap, end.heap));
    add('… resident memory: start / end', 'MB', pair(start.rss, end.rss));
    add('… most', 'MB', crew.most, crew.limit);
    add(
      '… growth in the second half, heap / resident',
      'MB/min',
      pair(secondHalf.heap, secondHalf.rss),
    );
  }
  for (const { slow: count, ...each } of slow) {
    add(`${count} stalled clients: dropped`, '', each.dropped, count, { exact: true });
    add('… dropped after / memory freed after', 'ms', pair(each.droppedMs, each.goneMs));
    add(`… closed with 1013, of ${each.again} that read again`, '', each.notified, each.again, {
      exact: true,
    });
    add('… reconnect to the latest text and receive the next edit', '', each.back, count, {
      exact: true,
    });
    add('… memory of the server meanwhile, growth', 'MB', each.memory.most - each.memory.before);
    add('… others p99 before / meanwhile', 'ms', pair(each.usual.p99, each.p99));
    add('… missing messages at the others', '', each.missing, 0);
  }
  if (most) {
    const { memory, edits, runs } = most;
    add('edits per second, of 8 authors who wait for the answer', '', edits.perSecond);
    add('… answered after, p99', 'ms', edits.p99);
    for (const [magic, each] of Object.entries(runs))
      add(
        `runs per second, ${magic}, four at a time / duration p50 in ms`,
        '',
        pair(each.perSecond, each.p50),
      );
    add('memory of the processes of a note with %python', 'MB', memory.python);
    add('… with %js', 'MB', memory.js);
  }
  if (pages) {
    add(`${pages.viewers} pages with embed tokens: memory of each`, 'kB', pages.kilobytes, 20);
    for (const [what, { received, ms, delay, waits }] of Object.entries(pages.acts)) {
      add(`… ${what}: received by`, '', received, pages.viewers, { exact: true });
      add('… all of them after', 'ms', ms);
      add('… delay of the event loop, p99', 'ms', delay.p99, 50);
      add('… longest', 'ms', delay.max, 200);
      add('… other calls, p50 / p99', 'ms', pair(waits.p50, waits.p99));
    }
    add('… stop reading: resident memory, growth', 'MB', pages.stalled.growth);
    add('… closed or ended', '', pages.stalled.closed);
    add('… one more than the limit: close code', '', pages.code, 4029, { exact: true });
  }
  for (const [what, { ms, longest }] of Object.entries(large?.acts ?? {})) {
    add(`a note of ${figure(large.megabytes)} MB is ${what}: duration`, 'ms', ms);
    add('… longest delay of the event loop', 'ms', longest, 200);
  }
  if (many) {
    add(`${many.notes} notes: start`, 'ms', many.startMs);
    add('… memory', 'MB', many.memory);
    add('… list, p50', 'ms', many.list.p50);
    add('… first search, builds the index', 'ms', many.firstSearch);
    add('… longest wait of other requests meanwhile', 'ms', many.longestWhileBuilt);
    for (const [kind, took] of Object.entries(many.searches))
      add(`… search, ${kind}, p50`, 'ms', took.p50, 50);
    add(`… rename with ${many.renames.sockets} list subscribers, p50`, 'ms', many.renames.p50);
    add(
      '… lists sent to each of them after 20 renames',
      '',
      many.renames.lists / many.renames.sockets,
    );
    add(
      '… wait of another request, p50 / longest',
      'ms',
      pair(many.renames.other.p50, many.renames.other.max),
    );
  }
  return rows;
}
