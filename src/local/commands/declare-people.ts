import type { Command } from 'commander'
import type { Add } from './declare-import.ts'
import { oneValue, required, severalValues } from './program.ts'

/**
 * The help text of `--sql` for statements that contain a secret's hash. They go into a file, because other users can
 * see arguments.
 */
const sqlFileFlag = (line: string) =>
  `writes the statements for a remote D1 into a private file instead, and prints its path: ` +
  `npx wrangler d1 execute weir --remote --file "$(npm run -s weir -- ${line} --sql)"`

export const idFlag = 'an id of your choice, a UUID; by default a new one'

/** Declares the commands for API keys. */
export function declareKeys(key: Command, add: Add): void {
  add(
    key
      .command('create')
      .description('creates an API key and prints it, this once. Give --admin or --website')
      .addOption(required('--name <NAME>', 'its name', oneValue))
      .option('--admin', 'a key for everything')
      .option('--website <UUID>', 'a website that the key may read; may be repeated', severalValues)
      .option('--write', 'with --website: the key may also change these websites')
      .option(
        '--expires <DATE>',
        'the last day on which it works, in UTC (2027-01-31), or a moment (2027-01-31T12:00:00Z); by default never',
        oneValue,
      )
      .option(
        '--origin <ORIGIN>',
        'works only for pages of this origin, such as https://www.example.com; may be repeated',
        severalValues,
      )
      .option('--sql', sqlFileFlag('key create …')),
    async () => (await import('./key-commands.ts')).createKeyOf,
  )
  add(
    key.command('list').description('lists keys: id, start of the key, name, access, expiry, last use'),
    async () => (await import('./key-commands.ts')).listAllKeys,
  )
  add(
    key.command('delete').description('deletes a key').argument('<ID>', 'its id, from: key list'),
    async () => (await import('./key-commands.ts')).deleteOneKey,
  )
}

/** Declares the commands for a visitor's data. */
export function declarePerson(person: Command, add: Add): void {
  const about = (command: Command): Command =>
    command
      .addOption(required('--website <UUID>', 'the website', severalValues))
      .option('--distinct-id <ID>', 'everybody with this distinct id', oneValue)
      .option('--session <UUID>', 'instead: the person of this session', oneValue)
      .option('--single', 'with --session: only this session, whichever others have its distinct id')
      .option('--shared', 'includes sessions that are also linked to another distinct id')
  add(
    about(person.command('export')).description('prints everything about a person, one JSON row per line'),
    async () => (await import('./person-commands.ts')).exportOnePerson,
  )
  add(
    about(person.command('erase'))
      .description('deletes everything about a person from every table, and prints how much')
      .option('--yes', 'does not ask'),
    async () => (await import('./person-commands.ts')).eraseOnePerson,
  )
}

const passwordHelp = `
WEIR_PASSWORD in the environment sets the password. Without it, one is generated and printed.`

/** Declares the commands for users. */
export function declareUsers(user: Command, add: Add): void {
  add(
    user
      .command('create')
      .description('creates a user and prints its id')
      .addOption(required('--username <NAME>', 'the name to sign in with', oneValue))
      .addOption(required('--role <ROLE>', 'admin, user or view-only', oneValue))
      .option('--id <UUID>', idFlag, oneValue)
      .option('--sql', sqlFileFlag('user create …'))
      .addHelpText('after', passwordHelp),
    async () => (await import('./user-commands.ts')).createOneUser,
  )
  add(
    user.command('list').description('lists users: id, name, role, when they were created'),
    async () => (await import('./user-commands.ts')).listAllUsers,
  )
  add(
    user
      .command('password')
      .description('sets a new password and signs the user out everywhere')
      .argument('<NAME>', 'the name of the user')
      .addHelpText('after', passwordHelp),
    async () => (await import('./user-commands.ts')).changePassword,
  )
  add(
    user
      .command('reset-two-factor')
      .description('deletes the second factor of a user, who may then sign in with the password alone')
      .argument('<NAME>', 'the name of the user'),
    async () => (await import('./user-commands.ts')).resetTwoFactor,
  )
  add(
    user
      .command('delete')
      .description('deletes a user with their websites, and with teams that have no other owner')
      .argument('<NAME>', 'the name of the user')
      .option('--yes', 'does not ask'),
    async () => (await import('./user-commands.ts')).deleteOneUser,
  )
}
