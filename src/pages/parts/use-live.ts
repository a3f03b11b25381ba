import { useEffect, useState } from 'preact/hooks'
import { poll } from './polling.ts'
import { messagesOf } from './stream.ts'

/** The last message of a live stream. */
interface Live<Message> {
  readonly message: Message | undefined
  /** The refusal that ended the stream. After a lost connection, the page opens a new one instead. */
  readonly refusal: unknown
  readonly retry: () => void
}

/** Milliseconds between the end of one connection and the start of the next. */
const pause = 5000

/** Listens while the page is visible. A new `key` opens another stream. */
export function useLive<Message>(key: string, open: (signal: AbortSignal) => Promise<Response>): Live<Message> {
  const [live, setLive] = useState<Omit<Live<Message>, 'retry'>>({ message: undefined, refusal: undefined })
  const [tries, setTries] = useState(0)
  useEffect(() => {
    const ask = async (signal: AbortSignal) => {
      for await (const message of messagesOf(await open(signal))) {
        setLive({ message: message as Message, refusal: undefined })
      }
      return false
    }
    return poll({ ask, pause, refused: (refusal) => setLive({ message: undefined, refusal }) })
  }, [key, tries])
  return { ...live, retry: () => setTries(tries + 1) }
}
