import { ApiError } from '../errors.ts'
import { lease, renewal } from '../until.ts'

/** How many answers of one kind may run at the same time in an isolate. */
interface SlotLimits {
  /** For one account. */
  readonly ofAccount: number
  /** For all shares and public websites together, because anybody may read them. */
  readonly ofOpenings: number
  /** The name for these answers in error messages. */
  readonly kind: string
}

interface Slot {
  readonly account: string
  /** Whether the reader uses a share or a public website. */
  readonly isOpen: boolean
  /** In milliseconds since 1970. */
  until: number
}

/**
 * Takes a slot for the account. Returns a function that frees it. Throws a 429 if all slots are taken. `time` returns
 * milliseconds since 1970.
 */
type TakeSlot = (account: string, isOpen: boolean, time: () => number) => () => void

export function slots({ ofAccount, ofOpenings, kind }: SlotLimits): TakeSlot {
  const taken = new Set<Slot>()
  return (account, isOpen, time) => {
    const now = time()
    for (const slot of taken) if (slot.until <= now) taken.delete(slot)
    let [its, open] = [0, 0]
    for (const slot of taken) {
      if (slot.account === account) its++
      if (slot.isOpen) open++
    }
    if (its >= ofAccount || (isOpen && open >= ofOpenings)) {
      const message = `${its >= ofAccount ? ofAccount : 'Too many'} ${kind} are already running. Finish one, or retry after Retry-After seconds.`
      throw new ApiError('too-many-requests', message, { headers: { 'Retry-After': String(lease / 1000) } })
    }
    const slot = { account, isOpen, until: now + lease }
    taken.add(slot)
    const renewing = setInterval(() => {
      slot.until = time() + lease
      taken.add(slot)
    }, renewal)
    return () => {
      clearInterval(renewing)
      taken.delete(slot)
    }
  }
}
