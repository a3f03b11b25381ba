import { ApiError, refusalOf } from '../../errors.ts'
import { mostDeleted } from '../../metadata/sessions.ts'
import { Done, done } from '../answers.ts'
import { action, updateAccess } from '../endpoint.ts'
import { noSuchSession } from './session.ts'

export const deleteWebsiteSession = action({
  name: 'deleteWebsiteSession',
  method: 'delete',
  path: '/api/websites/:websiteId/sessions/:sessionId',
  summary: 'Hides a session from lists and look-ups. The next purge removes it from all counts.',
  access: updateAccess,
  refuses: ['not-found', 'conflict', 'too-much-data'],
  answer: Done,
  async run({ websiteId, sessionId }, { ask, metadata }) {
    const found = await ask(`/api/websites/${websiteId}/sessions/${sessionId}`)
    if (!found.ok && found.status !== 404) throw await refusalOf(found)
    await found.body?.cancel()
    if (found.status === 404) throw noSuchSession()
    if (!(await metadata.sessions.delete(websiteId, sessionId))) throw tooManyDeleted()
    return done
  },
})

export const tooManyDeleted = () =>
  new ApiError(
    'conflict',
    `${mostDeleted} deleted sessions of this website already wait for a purge. Run weir purge, then delete more.`,
  )
