import type { Endpoint } from '../endpoint.ts'
import { deleteWebsiteReplay, getWebsiteReplay, viewWebsiteReplay } from './replay.ts'
import { getWebsiteReplays, getWebsiteSessionReplays } from './replays.ts'
import { getWebsiteReplaySaved, getWebsiteSavedReplays, saveWebsiteReplay } from './saved.ts'

export const replayEndpoints: readonly Endpoint[] = [
  getWebsiteReplays,
  getWebsiteSavedReplays,
  getWebsiteReplaySaved,
  saveWebsiteReplay,
  getWebsiteReplay,
  viewWebsiteReplay,
  deleteWebsiteReplay,
  getWebsiteSessionReplays,
]
