import { sweepByHour } from './support/by-hour.ts'
import { runs } from './support/long.ts'

sweepByHour(Number(process.env.QUESTIONS ?? runs(4, 400)))
