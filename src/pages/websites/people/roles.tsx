import type { Answer } from '@weir/client'

export type UserRole = Answer<'getUsers'>['data'][number]['role']

/** The roles of users, as a person reads them. */
export const userRoles: Readonly<Record<UserRole, string>> = {
  admin: 'Admin',
  user: 'User',
  'view-only': 'View only',
}

/** The roles of members that can be given. */
export const memberRoles = {
  'team-manager': 'Manager',
  'team-member': 'Member',
  'team-view-only': 'View only',
} as const

export type MemberRole = keyof typeof memberRoles

interface ChoiceProps {
  readonly name: string
  readonly label: string
  /** The texts of the values. */
  readonly all: Readonly<Record<string, string>>
  readonly chosen: string
}

export const Choice = ({ name, label, all, chosen }: ChoiceProps) => (
  <label class="field">
    {label}
    <select name={name}>
      {Object.entries(all).map(([value, text]) => (
        <option key={value} value={value} selected={value === chosen}>
          {text}
        </option>
      ))}
    </select>
  </label>
)
