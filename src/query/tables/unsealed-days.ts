import { all, type Fragment, sql, uint8, union } from '../language/sql.ts'
import { chainedFields } from './chained-fields.ts'
import { isAction, rowsOfLastWeek } from './rows.ts'
import { chainedDays, chainedHours, chainedValues, dailyShapes, seals, type Table } from './tables.ts'

/**
 * The number of chain rows that count a view: one for each value, one row of hours and one row of days. Rows of hours
 * and of days also count custom events.
 */
const countsOfView = Object.keys(chainedFields).length + 2

const ofHour = sql`toDate32(hour)`

/** On the front of a cluster, each shard has its own seals. */
const ofShard = sql`shardNum() as of_shard`

/** The actions that a chain's rows count, by day and seal. */
const heldBy = (table: Table, held: Fragment, condition?: Fragment): Fragment =>
  sql`select website_id, ${ofHour} as day, ${ofShard}, seal as number, 0 as is_note, 0 as noted, 0 as due,
      toInt64(${held}) as amount
    ${all(rowsOfLastWeek(table, ofHour), condition)} group by website_id, ${ofHour}, of_shard, seal`

const actions = sql`sum(events) + sum(customs)`

/**
 * A scalar: how many past website-days of the last week cannot be answered from any chain, because they were not
 * sealed, received new events or lost rows. In `chained_days`, it is sufficient to check the rows of actions, because a
 * lost file always contained some of them.
 */
export const unsealedDays = sql`(
  select uniqExactIf((website_id, day), stored != latest.1 or latest.2 != latest.3)
  from (
    select website_id, day, sumIf(amounts, number = 0) as stored,
      argMaxIf((of_note, of_rows, amounts), number, number > 0) as latest
    from (
      select website_id, day, of_shard, number, max(noted) as of_note, max(due) as of_rows, sum(amount) as amounts
      from ${union([
        sql`select website_id, day, ${ofShard}, toUInt64(0) as number, 1 as is_note, 0 as noted, 0 as due,
            events as amount
          ${rowsOfLastWeek(dailyShapes, sql`day`)} and ${isAction}`,
        sql`select website_id, day, ${ofShard}, seal as number, 1 as is_note, arraySum(views) + arraySum(customs) as noted,
            ${uint8(countsOfView)} * arraySum(views) + 2 * arraySum(customs) as due, toInt64(0) as amount
          ${rowsOfLastWeek(seals, sql`day`)}`,
        heldBy(chainedHours, actions),
        heldBy(chainedValues, sql`sum(views)`),
        heldBy(chainedDays, actions, sql`field = 'actions'`),
      ])}
      group by website_id, day, of_shard, number having max(is_note)
    )
    group by website_id, day, of_shard
  )
  settings optimize_use_projections = 1
)`
