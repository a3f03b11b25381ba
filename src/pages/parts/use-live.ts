import { useEffect, useRef, useState } from 'preact/hooks'
import { isRefusal, poll } from './polling.ts'
import { messagesOf } from './stream.ts'

/** The last message of a live stream. */
interface Live<Message> {
  readonly message: Message | undefined
  /** Why there is no newer message. After a lost connection or a passing error, the page connects again. */
  readonly error: unknown
}

interface Listening<Message> extends Live<Message> {
  /** The age of the message in seconds, if newer ones cannot be read. */
  readonly age: number | undefined
  readonly retry: () => void
}

/** Milliseconds between the end of one connection and the start of the next. */
const pause = 5000

/** A message whose answer Weir has not read again for this many milliseconds is old. Ages are checked this often. */
const [patience, step] = [120_000, 30_000]

/** Listens while the page is visible. A new `key` opens another stream. */
export function useLive<Message>(key: string, open: (signal: AbortSignal) => Promise<Response>): Listening<Message> {
  const [live, setLive] = useState<Live<Message>>({ message: undefined, error: undefined })
  const [tries, setTries] = useState(0)
  const [, setChecked] = useState(0)
  const heard = useRef(0)
  useEffect(() => {
    const ask = async (signal: AbortSignal) => {
      try {
        for await (const message of messagesOf(await open(signal))) {
          heard.current = Date.now()
          setLive((before) => ({ message: (message as Message | undefined) ?? before.message, error: undefined }))
        }
      } catch (error) {
        if (!signal.aborted) setLive(({ message }) => ({ message: isRefusal(error) ? undefined : message, error }))
        throw error
      }
      return false
    }
    return poll({ ask, pause })
  }, [key, tries])
  useEffect(() => {
    const check = () => {
      if (!document.hidden) setChecked(Date.now())
    }
    const timer = setInterval(check, step)
    return () => clearInterval(timer)
  }, [])
  const silence = Date.now() - heard.current
  const age = live.message !== undefined && silence > patience ? silence / 1000 : undefined
  return { ...live, age, retry: () => setTries(tries + 1) }
}
