import * as z from 'zod'
import { type Paged, pageFields, pageInfo, pageOutput, searchField, textField } from '../fields.ts'
import { tool } from '../tool.ts'

interface ShownWebsite {
  readonly id: string
  readonly name: string
  readonly domain: string | null
  readonly teamId: string | null
  readonly createdAt: string | null
}

const ShownWebsite = () =>
  z.object({
    id: textField(),
    name: textField(),
    domain: textField().nullable(),
    teamId: textField().nullable(),
    createdAt: textField().nullable(),
  })

export const listWebsitesTool = tool({
  name: 'list_websites',
  description:
    'Lists the websites that this key may read, those of teams included. Start here: other tools need an id.',
  example: { search: 'shop' },
  time: 'never',
  isOfWebsite: false,
  input: () => ({ search: searchField('Part of the name or domain, ignoring case.'), ...pageFields() }),
  output: () => ({ websites: z.array(ShownWebsite()), ...pageOutput() }),
  units: 'count: websites.',
  async answer({ search, page, pageSize }, { get }) {
    const { body } = await get<Paged<ShownWebsite>>('websites', { includeTeams: 'true', search, page, pageSize })
    return {
      websites: body.data.map(({ id, name, domain, teamId, createdAt }) => ({ id, name, domain, teamId, createdAt })),
      ...pageInfo(body),
    }
  },
})
