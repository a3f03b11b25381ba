import * as z from 'zod'
import { id } from '../../endpoints/ids.ts'
import { checked } from './checked.ts'

const websites = z.array(id()).max(1000, { error: 'Must be 1,000 websites at most.' })

/** The ids of repeated `--website`. */
export const websiteFlags = (given: readonly string[] = []): string[] => checked(websites, given, '--website')
