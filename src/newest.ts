/** Sets a value as the newest of a map, and drops the one that was set longest ago if there are more than `most`. */
export function setNewest<Key, Value>(values: Map<Key, Value>, key: Key, value: Value, most: number): void {
  values.delete(key)
  values.set(key, value)
  if (values.size > most) values.delete(values.keys().next().value!)
}
