import type { Plan } from '../../query/sql.ts'

const mostMemory = 2 * 1024 ** 3

/** The plan of a report that keeps something of each session or visit: its statements may hold 2 GiB each. */
export const bounded = <Rows>(plan: Plan<Rows>): Plan<Rows> =>
  Object.fromEntries(
    Object.entries<Plan<Rows>[keyof Rows]>(plan).map(([name, statement]) => [name, { ...statement, mostMemory }]),
  ) as Plan<Rows>
