import type { ClickHouseClient } from '@clickhouse/client-web'
import { compared, look, months, spilling } from './check.ts'
import { type Derived, type Rows, rowsOf, type Scope, texts } from './derived.ts'
import { add, type Rebuilt, repeated, takeAway, total } from './rebuild.ts'

/** The most looks at a month: each one finds only differences that the previous one did not repair. */
const looks = 3

/**
 * Makes `events` and `custom_events` agree as far as possible. The same inserts fill both. If an insert failed
 * half-way and was repeated, one table has the event twice and the other once; once is right. A row that only one
 * table has is copied. `custom_events` lacks some columns (the referrer's path and query), which stay empty. An event
 * whose properties are lost cannot be copied to `custom_events`.
 */
export async function reconcile(client: ClickHouseClient, derived: Derived, scope: Scope): Promise<Rebuilt[]> {
  const rows = await rowsOf(client, derived)
  const done: Rebuilt[] = []
  for (const month of await months(client, derived, scope)) {
    let rebuilt: Rebuilt = { month, added: 0, taken: 0, unsure: 0, lost: 0 }
    for (let made = 0; made < looks; made++) {
      const found = await look(client, rows, { ...scope, month })
      if (found.length === 0) break
      const { added, taken, lost } = await mend(client, rows, { ...scope, month })
      const unsure = total(found, 'unsure')
      rebuilt = { ...rebuilt, added: rebuilt.added + added, taken: rebuilt.taken + taken, unsure, lost }
      if (added + taken + unsure === 0) break
    }
    done.push(rebuilt)
  }
  return done.filter(({ added, taken, unsure, lost = 0 }) => added + taken + unsure + lost > 0)
}

async function mend(client: ClickHouseClient, rows: Rows, scope: Scope & { month: number }) {
  const events: Rows = { ...rows, derived: { ...rows.derived, table: rows.derived.sources[0]! } }
  const count = async (what: 'missing' | 'surplus', where: string) => {
    const [text] = await texts(
      client,
      `SELECT toString(sum(${what})) AS text FROM (${compared(rows)}) WHERE ${where} SETTINGS ${spilling}`,
    )
    return Number(text)
  }
  const twice = {
    events: await takeAway(
      client,
      events,
      `SELECT * EXCEPT surplus, missing AS surplus FROM (${compared(rows)}) WHERE inBoth`,
      scope,
    ),
    custom: await takeAway(client, rows, `SELECT * FROM (${compared(rows)}) WHERE inBoth`, scope),
  }
  const [plain, unknown] = [await count('missing', 'NOT inBoth AND NOT has_data'), await count('surplus', 'NOT inBoth')]
  // There it is an alias, computed from the properties.
  const keys = rows.keys.replace(', `has_data`', '')
  if (plain > 0) {
    await add(client, { ...rows, keys }, repeated(rows, 'missing', 'NOT inBoth AND NOT has_data', keys))
  }
  if (unknown > 0) await add(client, events, repeated(rows, 'surplus', 'NOT inBoth'))
  return {
    added: plain + unknown,
    taken: twice.events + twice.custom,
    lost: await count('missing', 'NOT inBoth AND has_data'),
  }
}
