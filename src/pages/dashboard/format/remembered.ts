/** Creates each value only when it is first used, and then reuses it, because `Intl` formats are slow to create. */
export function remembered<Value, Key = void>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>()
  return (key) => {
    if (!made.has(key)) made.set(key, make(key))
    return made.get(key) as Value
  }
}
