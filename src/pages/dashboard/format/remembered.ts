/** Makes each value once, when it is first asked for. The formats of `Intl` take long to make, and scripts to load. */
export function remembered<Value, Key = void>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>()
  return (key) => {
    if (!made.has(key)) made.set(key, make(key))
    return made.get(key) as Value
  }
}
