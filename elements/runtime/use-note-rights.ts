import type { Client } from '@tiding/client';
import type { Right } from '@tiding/client/protocol';
import { useCallback, useRef, useState } from 'react';
import { loadRight } from './note-right.ts';

/** How long the pointer rests on a note before its permissions are loaded, in ms. */
const REST_MS = 100;

/**
 * What the user may do with the notes of a list that they have pointed at or focused, and a
 * callback that loads it for a note.
 */
export function useNoteRights(
  client: Client,
): readonly [ReadonlyMap<string, Right>, (id: string) => void] {
  const [rights, setRights] = useState<ReadonlyMap<string, Right>>(new Map());
  const asked = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const onReach = useCallback(
    (id: string) => {
      clearTimeout(timer.current);
      if (asked.current.has(id)) return;
      timer.current = setTimeout(() => {
        asked.current.add(id);
        void loadRight(client, id).then((right) =>
          setRights((before) => new Map(before).set(id, right)),
        );
      }, REST_MS);
    },
    [client],
  );
  return [rights, onReach];
}
