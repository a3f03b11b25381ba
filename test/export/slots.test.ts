import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { personalAccountOf } from '../../src/access/limits.ts'
import type { ApiError } from '../../src/errors.ts'
import type { Holder } from '../../src/metadata/holder.ts'
import type { Person } from '../../src/metadata/person.ts'
import { slots } from '../../src/serve/slots.ts'
import { newId } from '../support/website.ts'

const limits = { ofAccount: 4, ofOpenings: 6, kind: 'exports' }
const takeSlot = slots(limits)

const all = (account: string) => Array.from({ length: limits.ofAccount }, () => takeSlot(account, false, Date.now))

/** The value of `Retry-After` when no slot is free. */
function refusalOf(account: string): number {
  try {
    takeSlot(account, false, Date.now)
  } catch (error) {
    const { code, headers } = error as ApiError
    expect(code).toBe('too-many-requests')
    return Number(headers['Retry-After'])
  }
  throw new Error('There was a slot.')
}

describe('an account’s export slots', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('are limited per account, and freed when they are returned', () => {
    const [one, other] = [newId(), newId()]
    const [first, ...others] = all(one)
    expect(refusalOf(one)).toBeGreaterThan(0)
    for (const free of all(other)) free()
    first!()
    first!()
    const again = takeSlot(one, false, Date.now)
    refusalOf(one)
    for (const free of [again, ...others]) free()
    for (const free of all(one)) free()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('have a common limit for all shares and public websites', () => {
    const take = () => takeSlot(newId(), true, Date.now)
    const open = Array.from({ length: limits.ofOpenings }, take)
    expect(take).toThrow('Too many exports')
    const own = takeSlot(newId(), false, Date.now)
    open[0]!()
    take()()
    for (const free of [own, ...open]) free()
  })

  it('remain taken as long as their requests are alive', () => {
    const account = newId()
    const taken = all(account)
    vi.advanceTimersByTime(3_600_000)
    refusalOf(account)
    for (const free of taken) free()
  })

  it('are freed several seconds after the runtime has dropped their requests', () => {
    const account = newId()
    all(account)
    vi.clearAllTimers()
    vi.advanceTimersByTime(1000 * refusalOf(account))
    for (const free of all(account)) free()
  })
})

describe('an export’s account', () => {
  const person: Person = { id: 'ann', username: 'ann', role: 'user', createdAt: 0, teams: {} }
  const key = { kind: 'key', id: 'k', isAdmin: false, access: 'read', person: undefined } as unknown as Holder

  it.each<[string, Holder | undefined, string]>([
    ['a sign-in is its user', { kind: 'sign-in', id: 's', person } as Holder, 'user ann'],
    ['a user’s key is its user', { ...key, person } as Holder, 'user ann'],
    ['a key without a user is the key', key, 'key k'],
    ['a share is the share at the caller’s address', { kind: 'share', id: 'h' } as Holder, 'share h 10.0.0.1'],
    ['an anonymous caller is the address', undefined, 'public 10.0.0.1'],
  ])('of %s', (_, holder, account) => {
    expect(personalAccountOf(holder, '10.0.0.1')).toBe(account)
  })

  it('is the address’s network for an anonymous caller with an IPv6 address', () => {
    expect(personalAccountOf(undefined, '2001:db8:0:1::1')).toBe(personalAccountOf(undefined, '2001:db8:0:1:2:3:4:5'))
  })

  it.each(['::ffff:10.1.2.3', '::FFFF:a01:203', '0:0:0:0:0:ffff:10.1.2.3', '0000::ffff:0a01:0203'])(
    'is the IPv4 address for an anonymous caller at %s',
    (address) => {
      expect(personalAccountOf(undefined, address)).toBe('public 10.1.2.3')
      expect(personalAccountOf(undefined, address.replace(/3$/, '4'))).toBe('public 10.1.2.4')
    },
  )

  it.each(['::fffe:10.1.2.3', '::1:ffff:10.1.2.3', '::10.1.2.3'])(
    'is the IPv6 network for an anonymous caller at %s',
    (address) => {
      expect(personalAccountOf(undefined, address)).toBe('public 0:0:0:0')
    },
  )
})
