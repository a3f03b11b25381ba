import type { FactsByName } from './facts.ts'

export const peopleFacts: FactsByName = {
  exportPerson: { may: 'deleteSession', isOurOwn: true },
  erasePerson: { may: 'deleteSession', isOurOwn: true },
}
