import { sweepByDay } from './support/by-day.ts'
import { runs } from './support/long.ts'

sweepByDay(Number(process.env.QUESTIONS ?? runs(4, 400)))
