import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Command, PlayerState } from '../../player/messages.ts'
import type { Session } from '../../session/session.ts'
import { connect, type Player } from './frame.ts'
import { linesOf, type ReplayIds } from './stream.ts'

/** A page that the visitor opened `at` milliseconds after the start. */
export interface VisitedPage {
  readonly at: number
  readonly url: string
}

/** The maximum number of pages listed. */
const mostPages = 1000

export interface Playing {
  readonly state: PlayerState | undefined
  readonly pages: readonly VisitedPage[]
  /** The time of the first event, in milliseconds since 1970 by the visitor's clock. */
  readonly start: number | undefined
  /** Whether all events have arrived. */
  readonly isLoaded: boolean
  /** The error that prevented events from loading. */
  readonly error: unknown
  /** Whether the player reported that it cannot show the replay, or cannot continue. */
  readonly isBroken: boolean
  readonly send: (command: Command) => void
  /** An event handler for the frame: its player has loaded. */
  readonly onLoad: (event: { readonly currentTarget: HTMLIFrameElement }) => void
}

/** Loads a replay, and plays it in the frame. */
export function usePlayer(session: Session, ids: ReplayIds): Playing {
  const player = useRef<Player | undefined>(undefined)
  const [frame, setFrame] = useState<HTMLIFrameElement | undefined>(undefined)
  const [state, setState] = useState<PlayerState | undefined>(undefined)
  const [pages, setPages] = useState<readonly VisitedPage[]>([])
  const [start, setStart] = useState<number | undefined>(undefined)
  const [isLoaded, setLoaded] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    if (!frame) return
    const ending = new AbortController()
    const connected = connect(frame, {
      state: setState,
      page: (at, url) => setPages((before) => (before.length < mostPages ? [...before, { at, url }] : before)),
      start: setStart,
      fault: () => setBroken(true),
    })
    player.current = connected
    const load = async () => {
      for await (const lines of linesOf(session, ids, ending.signal)) connected.send({ is: 'events', lines })
    }
    load()
      .catch((problem) => {
        if (!ending.signal.aborted) setError(problem)
      })
      .finally(() => {
        setLoaded(true)
        connected.send({ is: 'end' })
      })
    return () => {
      ending.abort()
      connected.close()
    }
  }, [frame])
  return {
    ...{ state, pages, start, isLoaded, error, isBroken },
    send: useCallback((command: Command) => player.current?.send(command), []),
    onLoad: useCallback(({ currentTarget }) => setFrame(currentTarget), []),
  }
}
