import type { Journal, JournalEntry } from './journal.ts';

const STORE = 'drafts';

/**
 * Creates a journal in the browser's IndexedDB. Drafts survive a reload, a crash and a closed tab.
 * If IndexedDB is not available (private mode of some browsers), every call rejects and drafts are
 * kept in memory only.
 *
 * @example
 * const client = createClient({ server, journal: indexedDbJournal() });
 */
export function indexedDbJournal(name = 'tiding-journal'): Journal {
  let opened: Promise<IDBDatabase> | undefined;
  const database = () =>
    (opened ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' });
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => {
        opened = undefined;
        reject(request.error);
      };
    }));
  const run = async <T>(
    mode: IDBTransactionMode,
    act: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> => {
    const transaction = (await database()).transaction(STORE, mode);
    const request = act(transaction.objectStore(STORE));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  };
  return {
    put: async (entry) => void (await run('readwrite', (store) => store.put(entry))),
    delete: async (key) => void (await run('readwrite', (store) => store.delete(key))),
    list: async (prefix) =>
      run(
        'readonly',
        (store) =>
          store.getAll(IDBKeyRange.bound(prefix, `${prefix}\uffff`)) as IDBRequest<JournalEntry[]>,
      ),
  };
}
