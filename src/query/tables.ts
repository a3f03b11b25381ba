import { Table } from './sql.ts'

/** Every table that a statement may read; the only place where their names enter SQL. `docs/storage.md` says what each holds. */
export const events = new Table('events')
export const customEvents = new Table('custom_events')
export const eventData = new Table('event_data')
export const eventDataById = new Table('event_data_by_id')
export const shapeDays = new Table('shape_days')
export const shapeMonths = new Table('shape_months')
export const eventDays = new Table('event_days')
export const visitDays = new Table('visit_days')
export const valueMonths = new Table('value_months')
