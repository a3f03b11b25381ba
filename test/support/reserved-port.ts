import { freePort } from '../../src/local/machine/port.ts'

/**
 * A free port that stays free until somebody listens on it. It is below Linux's range of ports for `listen(0)` and
 * outgoing connections.
 */
export async function reservedPort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    const isFree = await freePort('--port', port).then(
      () => true,
      () => false,
    )
    if (isFree) return port
  }
}
