import type { Answer } from '@weir/client'

type Entry = Answer<'getAuditLog'>['data'][number]

const kinds: Readonly<Record<Entry['actor']['kind'], string>> = {
  user: 'User',
  key: 'API key',
  operator: 'Operator',
  nobody: 'Not signed in',
}

const timeText = (moment: string): string =>
  new Date(moment).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** An entry of the audit log. */
export const EntryItem = ({ entry }: { readonly entry: Entry }) => {
  const { actor, action, fields, subjects, createdAt, network, times } = entry
  return (
    <li class="item">
      <h3>
        {actor.name !== null && <bdi>{actor.name}</bdi>} <span class="mark-of">{kinds[actor.kind]}</span>
      </h3>
      <p>
        <code>{action}</code>
        {times > 1 && `, ${times} times`}
        {fields.length > 0 && `: ${fields.join(', ')}`}
      </p>
      <p class="quiet">
        <time dateTime={createdAt}>{timeText(createdAt)}</time>
        {network !== null && ` from ${network}`}
      </p>
      {Object.entries(subjects).map(([name, id]) => (
        <p key={name} class="quiet">
          {name} <code>{id}</code>
        </p>
      ))}
    </li>
  )
}
