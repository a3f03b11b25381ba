import type { Endpoint } from '../endpoint.ts'
import { erasePerson } from './erase.ts'
import { exportPerson } from './export.ts'

export const peopleEndpoints: readonly Endpoint[] = [exportPerson, erasePerson]
