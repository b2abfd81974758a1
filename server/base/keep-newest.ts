/** Returns the value of a key, made if it is not kept. Keeps the newest values but no failures. */
export function keepNewest<Key, Value>(
  kept: Map<Key, Promise<Value>>,
  max: number,
  key: Key,
  make: () => Promise<Value>,
): Promise<Value> {
  const value = kept.get(key) ?? make();
  kept.delete(key);
  kept.set(key, value);
  if (kept.size > max) kept.delete(kept.keys().next().value!);
  value.catch(() => kept.delete(key));
  return value;
}
