/** Variables of a Worker whose readers of shares may wait longer than usual, because the machine may be busy. */
export const patient = { CLICKHOUSE_VISITOR_TIMEOUT: '60', CONCURRENCY: { patience: 60 } } as const
