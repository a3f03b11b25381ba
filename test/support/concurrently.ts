/** Runs a check for each item, a few at a time. */
export async function forEach<Item>(items: readonly Item[], check: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await check(item)
  }
  await Promise.all([worker(), worker(), worker(), worker(), worker(), worker()])
}

/** Every pair of one item from each list. */
export const pairs = <Left, Right>(lefts: readonly Left[], rights: readonly Right[]): [Left, Right][] =>
  lefts.flatMap((left) => rights.map((right): [Left, Right] => [left, right]))
