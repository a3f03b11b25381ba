/** The time of D1's last answer to this isolate, as returned by `performance.now`. */
let heardAt = 0

/** How often a waiting request checks whether D1 is silent, in milliseconds. */
const step = 250

/**
 * Waits for D1. Throws once D1 has not answered any request for `patience` milliseconds. Time during which the isolate
 * itself was busy does not count. Each request uses its own timers, because the platform drops a request's timers with
 * it.
 */
export async function unlessD1IsSilent<Value>(patience: number, asked: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    let [silent, before] = [0, performance.now()]
    const look = (): void => {
      const now = performance.now()
      silent = heardAt > before || now - before > 2 * step ? 0 : silent + step
      before = now
      if (silent >= patience) reject(new Error('D1 does not answer.'))
      else timer = setTimeout(look, step)
    }
    timer = setTimeout(look, step)
  })
  const heard = asked.finally(() => {
    heardAt = performance.now()
  })
  return Promise.race([heard, silence]).finally(() => clearTimeout(timer))
}

/** Resolves to the value. After `milliseconds`, rejects with the error that `late` creates. */
export async function withTimeout<Value>(
  milliseconds: number,
  value: Promise<Value>,
  late = () => new Error('No answer came in time.'),
): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds)
  })
  return Promise.race([value, deadline]).finally(() => clearTimeout(timer))
}
