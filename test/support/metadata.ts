import { inject } from 'vitest'
import { metadataAt } from '../../src/local/metadata-door.ts'

/** D1 of the Worker that all tests share. */
export const metadata = metadataAt(inject('running').metadata)
