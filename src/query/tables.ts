import { Table } from './sql.ts'

/** Every table that a statement may read; the only place where their names enter SQL. `docs/storage.md` says what each holds. */
export const events = new Table('events')
export const customEvents = new Table('custom_events')
export const eventData = new Table('event_data')
export const eventDataById = new Table('event_data_by_id')
export const dailyShapes = new Table('daily_shapes')
export const monthlyShapes = new Table('monthly_shapes')
export const dailyEvents = new Table('daily_events')
export const dailyVisits = new Table('daily_visits')
export const monthlyValues = new Table('monthly_values')
