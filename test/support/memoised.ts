/** A function that computes its result only once per argument. */
export function memoised<Argument extends object, Result>(compute: (argument: Argument) => Result) {
  const known = new WeakMap<Argument, Result>()
  return (argument: Argument): Result => {
    if (!known.has(argument)) known.set(argument, compute(argument))
    return known.get(argument)!
  }
}
