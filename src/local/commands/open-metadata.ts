import { places } from '../paths.ts'
import type { OpenMetadata } from '../start/workerd.ts'
import { lockMetadata } from '../storage/metadata-lock.ts'
import { findSharedMetadata, metadataThrough } from '../storage/shared-metadata.ts'

/** The D1 of a data folder, for a command: through the running Worker, if any. Else opens it for the command. */
export async function openMetadata(dataDir: string, note: (line: string) => void = () => {}): Promise<OpenMetadata> {
  const found = await lockMetadata(dataDir, () => findSharedMetadata(places(dataDir).sharedMetadata))
  if (typeof found === 'object') return { metadata: metadataThrough(found), close: async () => {} }
  note(`No Worker runs on ${dataDir}: its metadata is opened for this command.`)
  try {
    // Miniflare takes a second to load.
    const { metadata, close } = await (await import('../start/workerd.ts')).openAlone(dataDir)
    return { metadata, close: () => close().finally(found) }
  } catch (error) {
    found()
    throw error
  }
}
