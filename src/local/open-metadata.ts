import { places } from './paths.ts'
import { findSharedMetadata, metadataThrough } from './shared-metadata.ts'
import type { OpenMetadata } from './workerd.ts'

/** For commands: the D1 of a data folder, through the Worker that runs on it; else opens it until the command ends. */
export async function openMetadata(dataDir: string, note: (line: string) => void = () => {}): Promise<OpenMetadata> {
  const known = await findSharedMetadata(places(dataDir).sharedMetadata)
  if (known) return { metadata: metadataThrough(known), close: async () => {} }
  note(`No Worker runs on ${dataDir}: its metadata is opened for this command.`)
  // Miniflare takes a second to load.
  return (await import('./workerd.ts')).openAlone(dataDir)
}
