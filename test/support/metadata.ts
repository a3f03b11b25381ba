import { inject } from 'vitest'
import { metadataThrough } from '../../src/local/storage/shared-metadata.ts'

/** The D1 of the Worker that all tests share. */
export const metadata = metadataThrough(inject('running').metadata)
