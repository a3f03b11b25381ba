import type { FactsByName } from './facts.ts'

export const replaysFacts: FactsByName = {
  getWebsiteReplays: { may: 'download' },
  getWebsiteSessionReplays: { may: 'download' },
  getWebsiteSavedReplays: { may: 'download' },
  getWebsiteReplaySaved: { may: 'download', holdsNoText: true },
  saveWebsiteReplay: { may: 'deleteSession' },
  getWebsiteReplay: { may: 'viewReplay' },
  viewWebsiteReplay: { may: 'viewReplay', isOurOwn: true },
  deleteWebsiteReplay: { may: 'deleteSession', isOurOwn: true },
}
