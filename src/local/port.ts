import { createServer } from 'node:net'

/** `port` if it can be had on loopback, any free one for 0; otherwise an error that names the flag. */
export function freePort(flag: string, port: number): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      failed(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} is in use. Choose another one with ${flag}; 0 takes any free one.`)
          : error,
      ),
    )
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => found(typeof address === 'object' && address ? address.port : port))
    })
  })
}
