/**
 * The maximum number of paths that one request answers at the same time. The platform allows six connections per
 * request.
 */
export const atOnce = 6

/** Maps the items, six at a time; the results are in the order of the items. */
export async function mapAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  const lane = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return results
}
