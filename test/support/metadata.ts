import { inject } from 'vitest'
import { places } from '../../src/local/paths.ts'
import { metadataThrough } from '../../src/local/storage/shared-metadata.ts'

const running = inject('running')

/** The D1 of the Worker that all tests share. */
export const metadata = metadataThrough(running.metadata, places(running.dataDir).metadata)
